import type { ApiObject, JsonObject } from '../meta/object.ts';
import type { UserInfo } from '../request/context.ts';
import type { ResourceDefinition } from '../schema/model.ts';

export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** A write on its way, as admission sees it. */
export interface AdmissionRequest {
  readonly operation: AdmissionOperation;
  readonly resource: ResourceDefinition;
  /** '' for the resource itself. */
  readonly subresource: string;
  /** '' at cluster scope. For a namespace itself: its name. */
  readonly namespace: string;
  /** '' while the name is still to be generated, and for collections. */
  readonly name: string;
  /** What is to be stored, in the version of `resource`; undefined for what stores nothing. Only `mutate` may change it. */
  readonly object: ApiObject | undefined;
  /** What webhooks and policies see of a connection, e.g. PodExecOptions: kind, apiVersion and options, no metadata. */
  readonly connection?: JsonObject;
  /** What is stored now; undefined for creations. */
  readonly oldObject: ApiObject | undefined;
  /** The request's CreateOptions, UpdateOptions, PatchOptions or DeleteOptions. */
  readonly options: JsonObject;
  readonly dryRun: boolean;
  readonly user: UserInfo;
  readonly signal: AbortSignal;
  /** Adds a `Warning` header to the answer. */
  warn(text: string): void;
  /** Tells the audit event of the request something. Absent: nobody listens. */
  annotate?(name: string, text: string): void;
  /**
   * What a plugin has set aside for the object is given back by `undo`, which doesn't fail, where the object isn't
   * stored. In the second phase of creations and updates only.
   */
  onUndo?(undo: () => Promise<void>): void;
}

/**
 * One rule about writes, or one kind of rules: a folder of `admission/`. Refuses by throwing ApiError. A plugin may be
 * asked several times for one request: after a lost compare the write starts again.
 */
export interface AdmissionPlugin {
  /** As `--enable-admission-plugins` names it. */
  readonly name: string;
  /** The operations it cares about. */
  readonly operations: readonly AdmissionOperation[];
  /** Whether it cares about a resource, whatever the request: it isn't asked about others. Absent: about all. */
  readonly concerns?: (resource: ResourceDefinition) => boolean;
  /** First phase: may change `request.object`. Undefined where it is done at once. */
  mutate?(request: AdmissionRequest): Promise<void> | undefined;
  /** Second phase, when the object is final and valid: may only refuse. */
  validate?(request: AdmissionRequest): Promise<void> | undefined;
}

/** Both phases of all plugins. */
export interface Admission {
  mutate(request: AdmissionRequest): Promise<void>;
  validate(request: AdmissionRequest): Promise<void>;
}

/** What chains tell of their plugins, for metrics. */
export interface AdmissionObserver {
  /** Milliseconds on a clock that never goes back. */
  now(): number;
  /** A plugin has decided. */
  decided(name: string, phase: AdmissionPhase, outcome: AdmissionOutcome): void;
  /** All plugins of a phase have, or one has refused. */
  ended(phase: AdmissionPhase, outcome: AdmissionOutcome): void;
}

export type AdmissionPhase = 'mutate' | 'validate';

export interface AdmissionOutcome {
  readonly operation: AdmissionOperation;
  readonly rejected: boolean;
  readonly seconds: number;
}

/** Chains plugins; they run in the given order in both phases. Which ones have to do with a resource is found out once. */
export function createAdmission(
  plugins: readonly AdmissionPlugin[],
  observer?: AdmissionObserver,
): Admission {
  return {
    mutate: chain(plugins, 'mutate', observer),
    validate: chain(plugins, 'validate', observer),
  };
}

type Chosen = Partial<Record<AdmissionOperation, readonly AdmissionPlugin[]>>;

function chain(
  plugins: readonly AdmissionPlugin[],
  phase: AdmissionPhase,
  observer: AdmissionObserver | undefined,
): (request: AdmissionRequest) => Promise<void> {
  const chosen = new WeakMap<ResourceDefinition, Chosen>();
  function pluginsFor({ resource, operation }: AdmissionRequest): readonly AdmissionPlugin[] {
    const known = chosen.get(resource) ?? {};
    chosen.set(resource, known);
    return (known[operation] ??= plugins.filter(
      (plugin) =>
        plugin[phase] !== undefined &&
        plugin.operations.includes(operation) &&
        plugin.concerns?.(resource) !== false,
    ));
  }
  async function run(request: AdmissionRequest): Promise<void> {
    for (const plugin of pluginsFor(request)) {
      const going = plugin[phase]?.(request);
      if (going !== undefined) await going;
    }
  }
  if (observer === undefined) return run;
  return async function runObserved(request) {
    const { operation } = request;
    const began = observer.now();
    let since = began;
    let name = '';
    try {
      for (const plugin of pluginsFor(request)) {
        ({ name } = plugin);
        const going = plugin[phase]?.(request);
        if (going !== undefined) await going;
        const before = since;
        since = observer.now();
        observer.decided(name, phase, { operation, rejected: false, seconds: (since - before) / 1000 });
      }
    } catch (error) {
      const now = observer.now();
      observer.decided(name, phase, { operation, rejected: true, seconds: (now - since) / 1000 });
      observer.ended(phase, { operation, rejected: true, seconds: (now - began) / 1000 });
      throw error;
    }
    observer.ended(phase, { operation, rejected: false, seconds: (since - began) / 1000 });
  };
}
