import type { FieldSpec } from './field-spec.ts';

/** A kustomization file, checked: what it says to read, to make and to change. */
export interface Kustomization {
  readonly kind: 'Kustomization' | 'Component';
  readonly resources: readonly string[];
  readonly components: readonly string[];
  readonly namespace?: string;
  readonly namePrefix?: string;
  readonly nameSuffix?: string;
  readonly labels: readonly LabelRule[];
  readonly commonLabels: StringMap;
  readonly commonAnnotations: StringMap;
  readonly patches: readonly Patch[];
  /** Inline patches or files; they go before all others. */
  readonly patchesStrategicMerge: readonly string[];
  /** They go after names have changed. */
  readonly patchesJson6902: readonly Patch[];
  readonly images: readonly ImageRule[];
  readonly replicas: readonly ReplicaRule[];
  readonly configMapGenerator: readonly GeneratorRule[];
  readonly secretGenerator: readonly GeneratorRule[];
  readonly generatorOptions?: GeneratorOptions;
  readonly sortOptions?: SortOptions;
}

export type StringMap = Readonly<Record<string, string>>;

export interface LabelRule {
  readonly pairs: StringMap;
  readonly includeSelectors?: boolean;
  readonly includeTemplates?: boolean;
  readonly fields?: readonly FieldSpec[];
}

export interface Patch {
  readonly path?: string;
  readonly patch?: string;
  readonly target?: Target;
  readonly options?: { readonly allowNameChange?: boolean; readonly allowKindChange?: boolean };
}

/** What a patch is for; all but the selectors are regular expressions for whole texts. */
export interface Target {
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly annotationSelector?: string;
}

export interface ImageRule {
  readonly name: string;
  readonly newName?: string;
  readonly newTag?: string;
  readonly digest?: string;
  readonly tagSuffix?: string;
}

export interface ReplicaRule {
  readonly name: string;
  readonly count: number;
}

export interface GeneratorRule {
  readonly name: string;
  readonly namespace?: string;
  readonly behavior?: 'create' | 'merge' | 'replace';
  readonly literals?: readonly string[];
  readonly files?: readonly string[];
  readonly envs?: readonly string[];
  readonly env?: string;
  /** Of secrets. */
  readonly type?: string;
  readonly options?: GeneratorOptions;
}

export interface GeneratorOptions {
  readonly labels?: StringMap;
  readonly annotations?: StringMap;
  readonly disableNameSuffixHash?: boolean;
  readonly immutable?: boolean;
}

export interface SortOptions {
  readonly order: 'fifo' | 'legacy';
  readonly legacySortOptions?: {
    readonly orderFirst: readonly string[];
    readonly orderLast: readonly string[];
  };
}
