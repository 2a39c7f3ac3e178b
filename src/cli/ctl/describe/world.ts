import type { NamingProfile } from '../../../names/profile.ts';
import type { Api } from '../api/api.ts';
import type { ResourceMapper } from '../api/resource-mapper.ts';
import { resourcePath, type ApiResource } from '../api/resource.ts';
import { CtlError } from '../errors.ts';
import { readObjects } from '../resources/read-objects.ts';

/** Names a kind; without a version in that which the server prefers. */
export interface KindName {
  /** As naming profiles call the group, e.g. `group.rbac`; the core group and groups without domain by themselves. */
  readonly group: string;
  readonly kind: string;
}

export interface Selection {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export interface WorldOptions {
  readonly api: Api;
  readonly mapper: ResourceMapper;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Objects a request; 0 for all in one. */
  readonly chunkSize: number;
}

/** What a description is made of besides its object: other objects, names, the time. */
export class World {
  readonly names: NamingProfile;
  readonly now: number;
  readonly #api: Api;
  readonly #mapper: ResourceMapper;
  readonly #chunkSize: number;

  constructor({ api, mapper, now, chunkSize }: WorldOptions) {
    this.names = mapper.names;
    this.now = now;
    this.#api = api;
    this.#mapper = mapper;
    this.#chunkSize = chunkSize;
  }

  /** @throws ServerError when there is none. */
  async get<T extends object>(kind: KindName, name: string, namespace?: string): Promise<T> {
    return this.#api.json<T>({ path: resourcePath({ resource: this.#find(kind), namespace, name }) });
  }

  /** All objects of a kind that are selected. @throws ServerError */
  async list<T extends object>(kind: KindName, selection: Selection): Promise<T[]> {
    const resource = this.#find(kind);
    const found: T[] = [];
    const options = { ...selection, api: this.#api, chunkSize: this.#chunkSize };
    for await (const { object } of readObjects({ resource }, options)) found.push(object as T);
    return found;
  }

  #find({ group, kind }: KindName): ApiResource {
    const name = groupName(this.names, group);
    const resource = this.#mapper.forKind({ group: name, kind });
    if (resource === undefined) throw new CtlError(`the server doesn't have the kind ${kind} of ${name}`);
    return resource;
  }
}

/** The group that an identifier of naming profiles, or a name, stands for. */
export function groupName(names: NamingProfile, group: string): string {
  return group.startsWith('group.') ? names.get(group) : group;
}
