import { ResourceIndex } from '../../../client/discovery/resource-index.ts';
import type { ApiGroup } from '../../../client/discovery/read-all.ts';
import { closest } from '../../../lib/closest.ts';
import type { NamingProfile } from '../../../names/profile.ts';
import { CtlError } from '../errors.ts';
import type { Discovery } from './discovery.ts';
import { qualifiedResource, type ApiResource } from './resource.ts';

/** Finds resources by what people call them, and says what they may have meant. */
export class ResourceMapper {
  readonly names: NamingProfile;
  readonly #index: ResourceIndex;

  constructor({ names, groups }: Discovery) {
    this.names = names;
    this.#index = new ResourceIndex(groups);
  }

  get groups(): readonly ApiGroup[] {
    return this.#index.groups;
  }

  /** Every resource in each of its versions, in order of preference. */
  get all(): readonly ApiResource[] {
    return this.#index.all;
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
    const [resource = ''] = text.split('.');
    const group = text.slice(resource.length + 1);
    const where = group === '' ? '' : ` in group ${JSON.stringify(group)}`;
    throw new CtlError(
      `the server doesn't have a resource type ${JSON.stringify(resource)}${where}`,
      this.#advice(resource, group),
    );
  }

  /** As {@link find}, or undefined. */
  lookUp(text: string): ApiResource | undefined {
    return this.#index.find(text);
  }

  /** The resource of a kind; without a version of the preferred one. */
  forKind(kind: { group: string; version?: string; kind: string }): ApiResource | undefined {
    return this.#index.forKind(kind);
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

  #advice(word: string, group: string): { hint: string } | undefined {
    const elsewhere = group === '' ? undefined : this.#index.find(word);
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
