import { parseGroupVersion } from '../../meta/object.ts';
import type { NamingProfile, ProfileName } from '../../names/profile.ts';
import { ConfigError } from '../config-error.ts';
import type { Requests } from '../request/requests.ts';
import { isNotFound } from '../status-error.ts';
import { groupVersionPath, type ApiResource } from './api-resource.ts';
import { allProfiles, profileOf, renamedGroup } from './profiles.ts';
import { readServed } from './read-all.ts';
import { ResourceIndex } from './resource-index.ts';
import { fromResourceList, type GroupList, type ResourceList } from './wire.ts';

export interface DiscoveryOptions {
  readonly requests: Requests;
  /** For messages. */
  readonly server: string;
  /** The profile that the server must have; by default either will do. */
  readonly naming?: ProfileName | undefined;
}

/** What the server serves, and in whose names. Each answer is asked for once and remembered. */
export class Discovery {
  readonly #options: DiscoveryOptions;
  #index: Promise<ResourceIndex> | undefined;
  #names: Promise<NamingProfile> | undefined;
  readonly #versions = new Map<string, Promise<readonly ApiResource[]>>();

  constructor(options: DiscoveryOptions) {
    this.#options = options;
  }

  /** Forgets everything: the server may serve other things now. */
  forget(): void {
    this.#index = undefined;
    this.#names = undefined;
    this.#versions.clear();
  }

  /** Everything that is served. */
  index(): Promise<ResourceIndex> {
    return (this.#index ??= remember(this.#readIndex(), () => {
      this.#index = undefined;
    }));
  }

  /**
   * The naming profile of the server.
   *
   * @throws ConfigError when it has none, or not the one that it must have.
   */
  names(): Promise<NamingProfile> {
    return (this.#names ??= remember(this.#readNames(), () => {
      this.#names = undefined;
    }));
  }

  /**
   * The resource of a kind.
   *
   * @throws ConfigError when the server doesn't have it, with the name that it has for it where that is another.
   */
  async forKind(apiVersion: string, kind: string): Promise<ApiResource> {
    const found = (await this.#version(apiVersion)).find((one) => one.kind === kind);
    if (found !== undefined) return found;
    this.#versions.delete(apiVersion); // It may come: kinds do at any time.
    throw new ConfigError(`the server has no kind ${kind} in ${apiVersion}`);
  }

  /** The resource by its plural. @throws ConfigError when the server doesn't have it. */
  async forResource(apiVersion: string, resource: string): Promise<ApiResource> {
    const found = (await this.#version(apiVersion)).find((one) => one.resource === resource);
    if (found !== undefined) return found;
    this.#versions.delete(apiVersion);
    throw new ConfigError(`the server has no resource ${resource} in ${apiVersion}`);
  }

  #version(apiVersion: string): Promise<readonly ApiResource[]> {
    let read = this.#versions.get(apiVersion);
    if (read === undefined) {
      read = remember(this.#readVersion(apiVersion), () => this.#versions.delete(apiVersion));
      this.#versions.set(apiVersion, read);
    }
    return read;
  }

  async #readIndex(): Promise<ResourceIndex> {
    const { requests, naming } = this.#options;
    const [{ groups }] = await Promise.all([readServed(requests, allProfiles()), naming && this.names()]);
    return new ResourceIndex(groups);
  }

  async #readVersion(apiVersion: string): Promise<readonly ApiResource[]> {
    const parsed = parseGroupVersion(apiVersion);
    if (parsed === undefined) throw new ConfigError(`${JSON.stringify(apiVersion)} is no apiVersion`);
    const { group, version } = parsed;
    // A server of the wrong profile is told before anything is asked of it.
    if (this.#options.naming !== undefined) await this.names();
    try {
      const list = await this.#options.requests.json<ResourceList>({
        path: groupVersionPath(group, version),
      });
      return fromResourceList(group, version, list);
    } catch (error) {
      if (isNotFound(error)) throw await this.#notServed(apiVersion, group, version);
      throw error;
    }
  }

  async #notServed(apiVersion: string, group: string, version: string): Promise<ConfigError> {
    const names = await this.names();
    const other = renamedGroup(group, names, allProfiles());
    if (other === undefined) return new ConfigError(`the server has no ${apiVersion}`);
    return new ConfigError(`the server has no ${apiVersion}: it uses the ${names.name} naming profile`, {
      hint: `There, it is ${other}/${version}.`,
    });
  }

  async #readNames(): Promise<NamingProfile> {
    const { requests, server, naming } = this.#options;
    const { groups = [] } = await requests.json<GroupList>({ path: '/apis' });
    const profile = profileOf(
      groups.map(({ name }) => name),
      allProfiles(),
    );
    if (profile === undefined) {
      throw new ConfigError(`${server} serves none of the groups of a naming profile`, {
        hint: 'Is this the address of an API server?',
      });
    }
    if (naming !== undefined && naming !== profile.name) {
      throw new ConfigError(`${server} uses the ${profile.name} naming profile, not ${naming}`, {
        hint: `Ask for ${profile.name}, or start the server with --naming=${naming}.`,
      });
    }
    return profile;
  }
}

/** Failures are not remembered. */
function remember<T>(promise: Promise<T>, forget: () => void): Promise<T> {
  promise.catch(forget);
  return promise;
}
