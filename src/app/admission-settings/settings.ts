import {
  NO_CONFIGURATION,
  type PodSecurityConfiguration,
} from '../../admission/pod-security/configuration.ts';
import type { EventLimit } from '../../admission/event-rate-limit/configuration.ts';
import type { NodeLabels } from '../../admission/pod-node-selector/labels.ts';
import type { LimitedResource } from '../../admission/resource-quota/check.ts';
import type { JsonObject } from '../../meta/object.ts';

/** How `--admission-control-config-file` sets plugins up. */
export interface AdmissionSettings {
  readonly podSecurity: PodSecurityConfiguration;
  /** What needs a quota. */
  readonly limitedResources: readonly LimitedResource[];
  readonly eventLimits: readonly EventLimit[];
  readonly nodeSelectors: {
    readonly byDefault: NodeLabels;
    readonly allowed: ReadonlyMap<string, NodeLabels>;
  };
  readonly tolerations: {
    readonly byDefault: readonly JsonObject[];
    readonly allowed: readonly JsonObject[];
  };
  /** Undefined where nothing is said about it. */
  readonly imagePolicy: ImagePolicySettings | undefined;
}

/** Times are in milliseconds. */
export interface ImagePolicySettings {
  readonly kubeconfigFile: string;
  readonly allowedMs: number;
  readonly deniedMs: number;
  readonly retryPauseMs: number;
  readonly allowsByDefault: boolean;
}

/** What holds where nothing is configured. */
export const DEFAULT_SETTINGS: AdmissionSettings = {
  podSecurity: NO_CONFIGURATION,
  limitedResources: [],
  eventLimits: [],
  nodeSelectors: { byDefault: new Map(), allowed: new Map() },
  tolerations: { byDefault: [], allowed: [] },
  imagePolicy: undefined,
};
