import type { ApiResource } from './api-resource.ts';
import type { ApiGroup } from './read-all.ts';

/** What a server serves, to look up by what people call it. */
export class ResourceIndex {
  readonly groups: readonly ApiGroup[];
  /** Every resource in each of its versions, in order of preference. */
  readonly all: readonly ApiResource[];

  constructor(groups: readonly ApiGroup[]) {
    this.groups = groups;
    this.all = groups.flatMap(({ versions }) => versions.flatMap(({ resources }) => resources));
  }

  /**
   * The resource behind a word: its plural, singular, kind or a short name, in any case; with `.group`, or
   * `.version.group`, where it must be told from others. A group may be begun only.
   */
  find(text: string): ApiResource | undefined {
    const [word = '', second = '', ...rest] = text.split('.');
    const third = rest.join('.');
    if (rest.length > 0) {
      const exact = this.#match(word, ({ version, group }) => version === second && group === third);
      if (exact !== undefined) return exact;
    }
    const group = text.slice(word.length + 1);
    if (group === '') return this.#match(word, () => true);
    return (
      this.#match(word, (one) => one.group === group) ??
      this.#match(word, (one) => one.group.startsWith(group))
    );
  }

  /** The resource of a kind; without a version of the preferred one. */
  forKind(wanted: { group: string; version?: string | undefined; kind: string }): ApiResource | undefined {
    const { group, version, kind } = wanted;
    return this.all.find(
      (one) => one.kind === kind && one.group === group && (version === undefined || one.version === version),
    );
  }

  /** Plural, singular and kind count before short names, as they do on the server. */
  #match(word: string, allowed: (resource: ApiResource) => boolean): ApiResource | undefined {
    const lower = word.toLowerCase();
    const isNamed = ({ resource, singular, kind }: ApiResource): boolean =>
      resource === lower || singular === lower || kind.toLowerCase() === lower;
    return (
      this.all.find((one) => isNamed(one) && allowed(one)) ??
      this.all.find((one) => one.shortNames.includes(lower) && allowed(one))
    );
  }
}
