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
  /** What is to be stored, in the version of `resource`; undefined for deletions. Only `mutate` may change it. */
  readonly object: ApiObject | undefined;
  /** What is stored now; undefined for creations. */
  readonly oldObject: ApiObject | undefined;
  /** The request's CreateOptions, UpdateOptions, PatchOptions or DeleteOptions. */
  readonly options: JsonObject;
  readonly dryRun: boolean;
  readonly user: UserInfo;
  readonly signal: AbortSignal;
  /** Adds a `Warning` header to the answer. */
  warn(text: string): void;
  /** What a plugin has set aside for the object is given back by `undo`, where it isn't stored. Absent for deletions. */
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
  /** First phase: may change `request.object`. */
  mutate?(request: AdmissionRequest): Promise<void>;
  /** Second phase, when the object is final and valid: may only refuse. */
  validate?(request: AdmissionRequest): Promise<void>;
}

/** Both phases of all plugins. */
export interface Admission {
  mutate(request: AdmissionRequest): Promise<void>;
  validate(request: AdmissionRequest): Promise<void>;
}

/** Chains plugins; they run in the given order in both phases. */
export function createAdmission(plugins: readonly AdmissionPlugin[]): Admission {
  return {
    async mutate(request) {
      for (const plugin of plugins) {
        if (plugin.mutate && plugin.operations.includes(request.operation)) await plugin.mutate(request);
      }
    },
    async validate(request) {
      for (const plugin of plugins) {
        if (plugin.validate && plugin.operations.includes(request.operation)) await plugin.validate(request);
      }
    },
  };
}
