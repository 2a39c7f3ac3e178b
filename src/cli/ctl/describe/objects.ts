import type { Json, JsonObject } from '../../../meta/object.ts';

/** Objects in the parts that descriptions show, as they come from a server: what is empty may be absent. */
export interface Described {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly metadata: Metadata;
}

export type Pairs = Readonly<Record<string, string>>;

export interface Metadata {
  readonly name?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly creationTimestamp?: string | null;
  readonly deletionTimestamp?: string | null;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Pairs;
  readonly annotations?: Pairs;
  readonly finalizers?: readonly string[];
  readonly ownerReferences?: readonly Owner[];
}

export interface Owner {
  readonly kind?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly controller?: boolean;
}

/** Of a status. */
export interface Condition {
  readonly type?: string;
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string | null;
  readonly lastProbeTime?: string | null;
  readonly lastHeartbeatTime?: string | null;
}

/** `matchLabels` and `matchExpressions`. */
export type Selector = JsonObject;

/** Amounts by the name of what there is. */
export type Amounts = Readonly<Record<string, string>>;

export interface Resources {
  readonly limits?: Amounts;
  readonly requests?: Amounts;
}

export interface SeccompProfile {
  readonly type?: string;
  readonly localhostProfile?: string;
}

export interface EnvironmentVariable {
  readonly name?: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly fieldRef?: { readonly apiVersion?: string; readonly fieldPath?: string };
    readonly resourceFieldRef?: { readonly resource?: string; readonly divisor?: string };
    readonly secretKeyRef?: KeyReference;
    readonly configMapKeyRef?: KeyReference;
  };
}

export interface KeyReference {
  readonly name?: string;
  readonly key?: string;
  readonly optional?: boolean;
}

export interface EnvironmentSource {
  readonly prefix?: string;
  readonly configMapRef?: { readonly name?: string; readonly optional?: boolean };
  readonly secretRef?: { readonly name?: string; readonly optional?: boolean };
}

export interface Probe {
  readonly initialDelaySeconds?: number;
  readonly timeoutSeconds?: number;
  readonly periodSeconds?: number;
  readonly successThreshold?: number;
  readonly failureThreshold?: number;
  readonly exec?: { readonly command?: readonly string[] };
  readonly httpGet?: {
    readonly scheme?: string;
    readonly host?: string;
    readonly port?: string | number;
    readonly path?: string;
  };
  readonly tcpSocket?: { readonly host?: string; readonly port?: string | number };
  readonly grpc?: { readonly port?: number; readonly service?: string };
}

export interface Container {
  readonly name?: string;
  readonly image?: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly ports?: readonly {
    readonly containerPort?: number;
    readonly hostPort?: number;
    readonly protocol?: string;
  }[];
  readonly resources?: Resources;
  readonly restartPolicy?: string;
  readonly securityContext?: { readonly seccompProfile?: SeccompProfile };
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly startupProbe?: Probe;
  readonly env?: readonly EnvironmentVariable[];
  readonly envFrom?: readonly EnvironmentSource[];
  readonly volumeMounts?: readonly {
    readonly name?: string;
    readonly mountPath?: string;
    readonly readOnly?: boolean;
    readonly subPath?: string;
  }[];
  readonly volumeDevices?: readonly { readonly name?: string; readonly devicePath?: string }[];
}

export interface ContainerState {
  readonly running?: { readonly startedAt?: string | null };
  readonly waiting?: { readonly reason?: string };
  readonly terminated?: {
    readonly reason?: string;
    readonly message?: string;
    readonly exitCode?: number;
    readonly signal?: number;
    readonly startedAt?: string | null;
    readonly finishedAt?: string | null;
  };
}

export interface ContainerStatus {
  readonly name?: string;
  readonly containerID?: string;
  readonly imageID?: string;
  readonly state?: ContainerState;
  readonly lastState?: ContainerState;
  readonly ready?: boolean;
  readonly restartCount?: number;
  readonly resources?: Resources;
}

/** A name, and a source under the name of its kind. */
export type Volume = JsonObject & { readonly name?: string };

export interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: number;
}

export interface SpreadConstraint {
  readonly topologyKey?: string;
  readonly whenUnsatisfiable?: string;
  readonly maxSkew?: number;
  readonly labelSelector?: Selector;
}

export interface PodSpec {
  readonly priority?: number;
  readonly priorityClassName?: string;
  readonly runtimeClassName?: string;
  readonly serviceAccountName?: string;
  readonly nodeName?: string;
  readonly securityContext?: { readonly seccompProfile?: SeccompProfile };
  readonly resources?: Resources;
  readonly overhead?: Amounts;
  readonly initContainers?: readonly Container[];
  readonly containers?: readonly Container[];
  readonly ephemeralContainers?: readonly Container[];
  readonly readinessGates?: readonly { readonly conditionType?: string }[];
  readonly volumes?: readonly Volume[];
  readonly nodeSelector?: Pairs;
  readonly tolerations?: readonly Toleration[];
  readonly topologySpreadConstraints?: readonly SpreadConstraint[];
}

export interface PodTemplate {
  readonly metadata?: Metadata;
  readonly spec?: PodSpec;
}

export interface Pod extends Described {
  readonly spec?: PodSpec;
  readonly status?: {
    readonly phase?: string;
    readonly reason?: string;
    readonly message?: string;
    readonly hostIP?: string;
    readonly podIP?: string;
    readonly podIPs?: readonly { readonly ip?: string }[];
    readonly startTime?: string;
    readonly nominatedNodeName?: string;
    readonly qosClass?: string;
    readonly resize?: string;
    readonly conditions?: readonly Condition[];
    readonly containerStatuses?: readonly ContainerStatus[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
    readonly ephemeralContainerStatuses?: readonly ContainerStatus[];
  };
}

export interface Claim extends Described {
  readonly spec?: {
    readonly storageClassName?: string;
    readonly volumeName?: string;
    readonly volumeMode?: string;
    readonly accessModes?: readonly string[];
    readonly resources?: Resources;
    readonly dataSource?: {
      readonly apiGroup?: string | null;
      readonly kind?: string;
      readonly name?: string;
    };
  };
  readonly status?: {
    readonly phase?: string;
    readonly accessModes?: readonly string[];
    readonly capacity?: Amounts;
    readonly conditions?: readonly Condition[];
  };
}

/** A whole number, or a share such as `25%`. */
export type IntOrString = number | string;

export type { Json, JsonObject };
