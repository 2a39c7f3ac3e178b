import { createAdmission, type AdmissionPlugin } from '../../../src/admission/admission.ts';
import { namespaceLifecycle } from '../../../src/admission/namespace-lifecycle/plugin.ts';
import { ApiError, type Status } from '../../../src/errors/api-error.ts';
import type { ApiObject } from '../../../src/meta/object.ts';
import type { NamingProfile, ProfileName } from '../../../src/names/profile.ts';
import { ANY_PODS } from '../../../src/registry/pod/settings.ts';
import { defaultPods } from '../../support/pod-settings.ts';
import { openRules } from '../../../src/app/rules.ts';
import { servicePools } from '../../../src/app/service-ranges.ts';
import { ZERO_REVISION } from '../../../src/meta/revision.ts';
import { Bitmap } from '../../../src/registry/allocation/bitmap.ts';
import { poolsOf, type ServicePools } from '../../../src/registry/service/pools.ts';
import type { ComponentCheck } from '../../../src/registry/componentstatus/hooks.ts';
import { createConverter } from '../../../src/registry/convert/converter.ts';
import { createHooks } from '../../../src/registry/hooks-table.ts';
import { createObjectCodec } from '../../../src/registry/object-codec.ts';
import type { NodeAgents } from '../../../src/registry/node/agent.ts';
import type { Access } from '../../../src/registry/reviews/reviews.ts';
import type { RequestContext } from '../../../src/request/context.ts';
import { parseRequestInfo } from '../../../src/request/parse-request-info.ts';
import { createObjectStore, type RunningObjectStore } from '../../../src/store/create.ts';
import type { VerbDependencies } from '../../../src/verbs/dependencies.ts';
import type { VerbRequest, VerbResult } from '../../../src/verbs/result.ts';
import { createVerbs, type Verbs } from '../../../src/verbs/verbs.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { MemoryStorage } from '../../support/memory-storage.ts';
import { openSchemas, type Setting } from '../../support/schemas.ts';

export const NOW = Date.parse('2026-11-20T18:57:21Z');

/** One request in the words of HTTP. */
export interface TestRequest {
  readonly body?: unknown;
  /** Sent as it is, instead of `body`. */
  readonly raw?: string;
  readonly contentType?: string;
  readonly userAgent?: string;
}

/** What came back. */
export interface TestAnswer {
  readonly status: number;
  readonly object: ApiObject;
  readonly items: ApiObject[];
  readonly warnings: string[];
  readonly result: VerbResult | undefined;
}

export interface ClusterOptions {
  readonly profile?: ProfileName;
  /** Which versions and fields there are; all by default. */
  readonly setting?: Setting;
  readonly plugins?: readonly AdmissionPlugin[];
  readonly randoms?: number[];
  readonly components?: readonly ComponentCheck[];
  /** Whether a user may do something besides what the request says; everybody may by default. */
  readonly requireAccess?: VerbDependencies['requireAccess'];
  readonly streamsLists?: boolean;
  readonly removesUnread?: boolean;
  readonly collectsGarbage?: boolean;
  /** Whether services get addresses and ports on nodes. */
  readonly services?: boolean;
  /** What is said to those who ask about access; nobody is told anything by default. */
  readonly access?: Access;
  /** How node agents are reached; absent: nothing is passed on. */
  readonly nodeAgents?: NodeAgents;
  /** Another gateway's, to share. */
  readonly storage?: MemoryStorage;
}

/** The verbs over the real store on a storage in memory, asked by method and path. */
export class Cluster {
  readonly clock = new ManualClock(NOW);
  readonly store: RunningObjectStore;
  readonly verbs: Verbs;
  readonly schemas;
  readonly names: NamingProfile;
  readonly storage: MemoryStorage;
  readonly pools: ServicePools;
  #uids = 0;

  private constructor(options: ClusterOptions) {
    const { profile = 'kubernetes', plugins = [], randoms = [], components = [] } = options;
    const { registry, names } = openSchemas(profile, options.setting ?? 'all');
    const pods = options.setting === 'default' ? defaultPods(profile) : ANY_PODS;
    this.names = names;
    this.schemas = registry;
    this.storage = options.storage ?? new MemoryStorage();
    this.pools = servicePools({
      config: { clusterIpRanges: ['10.0.0.0/16'], services: { nodePorts: { first: 30_000, last: 32_767 } } },
      storage: this.storage,
      root: '/registry',
      storeAs: 'json',
      random: Math.random,
    });
    const services = { pools: this.pools, deleteEndpoints: () => Promise.resolve() };
    const given = {
      ...(options.services === true ? { services } : {}),
      ...(options.access === undefined ? {} : { access: options.access }),
      ...(options.nodeAgents === undefined ? {} : { nodeAgents: options.nodeAgents }),
    };
    const hooksOf = createHooks(names, { components, pods, ...given });
    const rows = new Map(registry.stored().map((row) => [row.storage?.prefix, row]));
    const codec = createObjectCodec({ schemas: registry, hooksOf, convert: createConverter(names) });
    this.store = createObjectStore({
      storage: this.storage,
      root: '/registry',
      profile,
      tokenVersion: `${names.get('group.meta')}/v1`,
      codec,
      storedVersion: (resource) => rows.get(resource.storage?.prefix) ?? resource,
      clock: this.clock,
    });
    const lifecycle = namespaceLifecycle({
      getNamespace: (name) => this.#namespace(name),
      immortal: new Set(['default']),
    });
    this.verbs = createVerbs({
      store: this.store,
      schemas: registry,
      hooksOf,
      rules: openRules(names, pods),
      admission: createAdmission([lifecycle, ...plugins]),
      convert: (object, from, to) => codec.convert(object, from, to),
      requireAccess: options.requireAccess ?? (() => Promise.resolve()),
      names,
      clock: this.clock,
      random: () => randoms.shift() ?? Math.random(),
      newUid: () => `00000000-0000-4000-8000-${String(++this.#uids).padStart(12, '0')}`,
      cbor: false,
      streamsLists: options.streamsLists ?? true,
      removesUnread: options.removesUnread ?? false,
      collectsGarbage: options.collectsGarbage ?? true,
      minRequestTimeoutSeconds: 1800,
      eventTtlSeconds: 3600,
    });
  }

  /** A cluster with the namespace `default`. */
  static async open(options: ClusterOptions = {}): Promise<Cluster> {
    const cluster = new Cluster(options);
    await cluster.store.start([]);
    if (options.services === true) {
      for (const pool of poolsOf(cluster.pools)) {
        await pool.replace(new Bitmap(pool.range.size), ZERO_REVISION);
      }
    }
    if (options.storage === undefined) {
      await cluster.expect(201, 'POST /api/v1/namespaces', { body: { metadata: { name: 'default' } } });
    }
    return cluster;
  }

  close(): void {
    this.store.close();
  }

  async #namespace(name: string): Promise<{ terminating: boolean } | undefined> {
    const resource = this.schemas.resource('', 'v1', 'namespaces');
    if (resource === undefined) throw new Error('no namespaces');
    try {
      const entry = await this.store.get({ resource, namespace: '', name, at: { at: 'latest' } });
      return { terminating: entry.field('status.phase') === 'Terminating' };
    } catch (error) {
      if (error instanceof ApiError && error.reason === 'NotFound') return undefined;
      throw error;
    }
  }

  /** Makes a request and checks the status of its answer. */
  async expect(status: number, line: string, request: TestRequest = {}): Promise<TestAnswer> {
    const answer = await this.ask(line, request);
    if (answer.status !== status) {
      throw new Error(`${line}: want ${status}, got ${answer.status}: ${JSON.stringify(answer.object)}`);
    }
    return answer;
  }

  /** @param line method and URL, e.g. `GET /api/v1/pods?limit=1` */
  async ask(line: string, request: TestRequest = {}): Promise<TestAnswer> {
    const [method = '', url = ''] = line.split(' ');
    const [path = '', search = ''] = url.split('?');
    const warnings: string[] = [];
    const query = new URLSearchParams(search);
    const info = parseRequestInfo(method, path, query);
    const context: RequestContext = {
      info,
      query,
      user: {
        name: 'admin',
        uid: 'admin-uid',
        groups: ['system:masters', 'system:authenticated'],
        extra: {},
      },
      userAgent: request.userAgent ?? 'test/1.0',
      auditId: 'audit',
      signal: new AbortController().signal,
      body: () => Promise.resolve(bodyOf(request)),
      annotate: () => undefined,
      warn: (text) => void (warnings.includes(text) || warnings.push(text)),
    };
    try {
      const result = await this.#handle(context);
      return { ...this.#read(result), warnings, result };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const object = error.toStatus() as Status & ApiObject;
      return { status: error.code, object, items: [], warnings, result: undefined };
    }
  }

  #handle(context: RequestContext): Promise<VerbResult> {
    const { info } = context;
    const resource = this.schemas.resource(info.group, info.version, info.resource);
    if (resource === undefined) throw new Error(`no resource ${info.resource}`);
    const subresource = info.subresource === '' ? undefined : resource.subresources.get(info.subresource);
    const request: VerbRequest = {
      context,
      resource,
      ...(subresource === undefined ? {} : { subresource }),
      namespace: resource.namespaced ? info.namespace : '',
      name: info.name,
    };
    const handler = this.verbs[subresource?.connect === undefined ? info.verb : 'connect'];
    if (handler === undefined) throw new Error(`no verb ${info.verb}`);
    return handler(request);
  }

  #read(result: VerbResult): Pick<TestAnswer, 'status' | 'object' | 'items'> {
    const empty = {} as ApiObject;
    switch (result.kind) {
      case 'entry':
        return { status: result.status, object: this.store.decode(result.entry, result.resource), items: [] };
      case 'object':
        return { status: result.status, object: result.object, items: [] };
      case 'list': {
        const items = result.page.entries.map((entry) =>
          result.resource.storage === undefined ? entry.object() : this.store.decode(entry, result.resource),
        );
        return { status: 200, object: empty, items };
      }
      case 'status':
        return {
          status: result.status.code ?? 200,
          object: result.status as unknown as ApiObject,
          items: [],
        };
      case 'watch':
      case 'relay':
      case 'text':
      case 'stream':
        return { status: 200, object: empty, items: [] };
    }
  }
}

function bodyOf({ body, raw, contentType = 'application/json' }: TestRequest) {
  const text = raw ?? (body === undefined ? '' : JSON.stringify(body));
  return { bytes: Buffer.from(text), mediaType: contentType, contentType };
}
