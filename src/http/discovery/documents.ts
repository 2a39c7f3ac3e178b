import { createHash } from 'node:crypto';
import type { NamingProfile } from '../../names/profile.ts';
import type { GroupDefinition, SchemaRegistry } from '../../schema/model.ts';
import { groupDiscoveryList, type AggregatedVersion } from './aggregated.ts';
import { apiGroup, apiResourceList, apiVersions } from './unaggregated.ts';

/** A discovery document as JSON text. */
export interface DiscoveryDocument {
  readonly json: Buffer;
}

/** An aggregated one, whose etag is the SHA-512 of its text in quotes, hexadecimal in upper case. */
export interface AggregatedDocument extends DiscoveryDocument {
  readonly etag: string;
}

export interface DiscoveryOptions {
  readonly registry: SchemaRegistry;
  readonly names: NamingProfile;
  /** `host:port` that `/api` tells clients. */
  readonly serverAddress: string;
}

/**
 * The discovery documents, each built when it is first asked for and kept until the registry's generation changes.
 *
 * What a handler does with them:
 *
 * - `/api` and `/apis`: the aggregated form where `Accept` has, in the client's order and at any place, a media type with
 *   `as=APIGroupDiscoveryList`, `g=` the discovery group and `v=` v2 or v2beta1; the plain form for media types without
 *   `as`. Nothing else acceptable: 406. An aggregated answer repeats these parameters in its `Content-Type`
 *   (`application/json;g=…;v=v2;as=APIGroupDiscoveryList`), has `Cache-Control: public`, `Vary: Accept` and `Etag`, and an
 *   `If-None-Match` naming the etag is answered with 304. YAML and Protobuf carry the same parameters and etag.
 * - `/api/<version>`, `/apis/<group>`, `/apis/<group>/<version>`: the plain form only (406 for an `as`), with the usual
 *   `Cache-Control: no-cache, private`. A trailing slash changes nothing.
 * - Where a method below answers undefined: 404, as a Status for an unknown version of a known group, otherwise as text.
 */
export class DiscoveryDocuments {
  readonly #options: DiscoveryOptions;
  #generation = -1;
  readonly #documents = new Map<string, DiscoveryDocument>();
  readonly #aggregated = new Map<string, AggregatedDocument>();

  constructor(options: DiscoveryOptions) {
    this.#options = options;
  }

  /** `/api`: the versions of the core group. */
  coreVersions(): DiscoveryDocument {
    return this.#document('/api', () => apiVersions(this.#group(''), this.#options.serverAddress));
  }

  /** `/apis`: all groups but the core one. */
  groupList(): DiscoveryDocument {
    return this.#document('/apis', () => ({
      kind: 'APIGroupList',
      apiVersion: 'v1',
      groups: this.#namedGroups().map(apiGroup),
    }));
  }

  /** `/apis/<group>` */
  group(name: string): DiscoveryDocument | undefined {
    const group = name === '' ? undefined : this.#group(name);
    if (group === undefined) return undefined;
    return this.#document(name, () => ({ kind: 'APIGroup', apiVersion: 'v1', ...apiGroup(group) }));
  }

  /** `/api/<version>` for the group '', `/apis/<group>/<version>` */
  resources(group: string, version: string): DiscoveryDocument | undefined {
    const { registry } = this.#options;
    if (this.#group(group)?.versions.includes(version) !== true) return undefined;
    const rows = registry.resourcesOf(group, version);
    return this.#document(`${group}/${version}`, () => apiResourceList(group, version, rows));
  }

  /** The aggregated form of `/api` or `/apis`. */
  aggregated(root: 'api' | 'apis', version: AggregatedVersion): AggregatedDocument {
    this.#refresh();
    const key = `${root} ${version}`;
    let document = this.#aggregated.get(key);
    if (document === undefined) {
      const { names, registry } = this.#options;
      const core = this.#group('');
      const groups = root === 'apis' ? this.#namedGroups() : core === undefined ? [] : [core];
      const apiVersion = `${names.get('group.apidiscovery')}/${version}`;
      const json = toJson(groupDiscoveryList(apiVersion, groups, registry));
      document = { json, etag: `"${createHash('sha512').update(json).digest('hex').toUpperCase()}"` };
      this.#aggregated.set(key, document);
    }
    return document;
  }

  #document(key: string, build: () => object): DiscoveryDocument {
    this.#refresh();
    let document = this.#documents.get(key);
    if (document === undefined) this.#documents.set(key, (document = { json: toJson(build()) }));
    return document;
  }

  #group(name: string): GroupDefinition | undefined {
    return this.#options.registry.groups().find((group) => group.name === name);
  }

  #namedGroups(): GroupDefinition[] {
    return this.#options.registry.groups().filter(({ name }) => name !== '');
  }

  #refresh(): void {
    const { generation } = this.#options.registry;
    if (this.#generation === generation) return;
    this.#generation = generation;
    this.#documents.clear();
    this.#aggregated.clear();
  }
}

function toJson(value: object): Buffer {
  return Buffer.from(JSON.stringify(value));
}
