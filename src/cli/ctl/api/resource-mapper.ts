import { closest } from '../../../lib/closest.ts';
import type { NamingProfile } from '../../../names/profile.ts';
import { CtlError } from '../errors.ts';
import type { ApiGroup, Discovery } from './discovery.ts';
import { qualifiedResource, type ApiResource } from './resource.ts';

/** Finds resources by what people call them. */
export class ResourceMapper {
  readonly names: NamingProfile;
  readonly groups: readonly ApiGroup[];
  /** Every resource in each of its versions, in order of preference. */
  readonly all: readonly ApiResource[];

  constructor({ names, groups }: Discovery) {
    this.names = names;
    this.groups = groups;
    this.all = groups.flatMap(({ versions }) => versions.flatMap(({ resources }) => resources));
  }

  /**
   * The resource behind a word: its plural, singular, kind or a short name, in any case; with `.group`, or
   * `.version.group`, where it must be told from others. A group may be begun only.
   *
   * @throws CtlError when the server has none.
   */
  find(text: string): ApiResource {
    const found = this.lookUp(text);
    if (found !== undefined) return found;
    const { resource, group } = splitGroup(text);
    const where = group === '' ? '' : ` in group ${JSON.stringify(group)}`;
    throw new CtlError(
      `the server doesn't have a resource type ${JSON.stringify(resource)}${where}`,
      this.#advice(resource, group),
    );
  }

  /** As {@link find}, or undefined. */
  lookUp(text: string): ApiResource | undefined {
    const versioned = splitVersion(text);
    if (versioned !== undefined) {
      const { resource, version, group } = versioned;
      const found = this.#match(resource, (other) => other.version === version && other.group === group);
      if (found !== undefined) return found;
    }
    const { resource, group } = splitGroup(text);
    if (group === '') return this.#match(resource, () => true);
    return (
      this.#match(resource, (other) => other.group === group) ??
      this.#match(resource, (other) => other.group.startsWith(group))
    );
  }

  /** The resource of a kind; without a version of the preferred one. */
  forKind(kind: { group: string; version?: string; kind: string }): ApiResource | undefined {
    return this.all.find(
      (other) =>
        other.kind === kind.kind &&
        other.group === kind.group &&
        (kind.version === undefined || other.version === kind.version),
    );
  }

  /** The resources of a category such as `all`, each in its preferred version. */
  inCategory(category: string): readonly ApiResource[] {
    return this.preferred().filter(({ categories }) => categories.includes(category));
  }

  /** Every resource once, in the version that the server prefers. */
  preferred(): readonly ApiResource[] {
    const seen = new Set<string>();
    return this.all.filter(({ group, resource }) => {
      const key = `${resource}.${group}`;
      return !seen.has(key) && seen.add(key);
    });
  }

  /** Plural, singular and kind count before short names, as they do on the server. */
  #match(word: string, allowed: (resource: ApiResource) => boolean): ApiResource | undefined {
    const lower = word.toLowerCase();
    return (
      this.all.find(
        (one) =>
          (one.resource === lower || one.singular === lower || one.kind.toLowerCase() === lower) &&
          allowed(one),
      ) ?? this.all.find((one) => one.shortNames.includes(lower) && allowed(one))
    );
  }

  #advice(word: string, group: string): { hint: string } | undefined {
    const elsewhere = group === '' ? undefined : this.#match(word, () => true);
    if (elsewhere !== undefined) {
      return {
        hint: `The server has the names of the ${this.names.name} profile; there it is ${qualifiedResource(elsewhere)}.`,
      };
    }
    const words = this.all.flatMap(({ resource, singular }) => [resource, singular]);
    const similar = closest(word.toLowerCase(), words);
    return similar === undefined ? undefined : { hint: `Is ${similar} meant?` };
  }
}

/** `deployments.v1.apps`. */
function splitVersion(text: string): { resource: string; version: string; group: string } | undefined {
  const match = /^([^.]+)\.([^.]+)\.(.*)$/.exec(text);
  if (match === null) return undefined;
  const [, resource = '', version = '', group = ''] = match;
  return { resource, version, group };
}

function splitGroup(text: string): { resource: string; group: string } {
  const dot = text.indexOf('.');
  if (dot < 0) return { resource: text, group: '' };
  return { resource: text.slice(0, dot), group: text.slice(dot + 1) };
}
