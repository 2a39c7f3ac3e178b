const TEXT = { type: 'string' } as const;
const TEXTS = { type: 'array', items: TEXT } as const;
const TEXT_MAP = { type: 'object', additionalProperties: TEXT } as const;
const SWITCH = { type: 'boolean' } as const;

function record(properties: Readonly<Record<string, object>>, required: readonly string[] = []): object {
  return { type: 'object', properties, required, additionalProperties: false };
}

function list(items: object): object {
  return { type: 'array', items };
}

const GENERATOR_OPTIONS = record({
  labels: TEXT_MAP,
  annotations: TEXT_MAP,
  disableNameSuffixHash: SWITCH,
  immutable: SWITCH,
});
const GENERATOR = {
  name: TEXT,
  namespace: TEXT,
  behavior: { enum: ['create', 'merge', 'replace', ''] },
  literals: TEXTS,
  files: TEXTS,
  envs: TEXTS,
  env: TEXT,
  options: GENERATOR_OPTIONS,
} as const;
const TARGET = record({
  group: TEXT,
  version: TEXT,
  kind: TEXT,
  name: TEXT,
  namespace: TEXT,
  labelSelector: TEXT,
  annotationSelector: TEXT,
});
const PATCHES = list(
  record({
    path: TEXT,
    patch: TEXT,
    target: TARGET,
    options: record({ allowNameChange: SWITCH, allowKindChange: SWITCH }),
  }),
);
const IMAGES = list(
  record({ name: TEXT, newName: TEXT, newTag: TEXT, digest: TEXT, tagSuffix: TEXT }, ['name']),
);
const FIELD_SPEC = record({ path: TEXT, kind: TEXT, group: TEXT, version: TEXT, create: SWITCH }, ['path']);

/** What a kustomization file may say here, as JSON Schema; {@link REFUSED} names the rest of what kustomize knows. */
export const KUSTOMIZATION_SCHEMA = record({
  apiVersion: TEXT,
  kind: TEXT,
  metadata: { type: 'object' },
  resources: TEXTS,
  bases: TEXTS,
  components: TEXTS,
  namespace: TEXT,
  namePrefix: TEXT,
  nameSuffix: TEXT,
  labels: list(
    record({ pairs: TEXT_MAP, includeSelectors: SWITCH, includeTemplates: SWITCH, fields: list(FIELD_SPEC) }),
  ),
  commonLabels: TEXT_MAP,
  commonAnnotations: TEXT_MAP,
  patches: PATCHES,
  patchesStrategicMerge: TEXTS,
  patchesJson6902: PATCHES,
  images: IMAGES,
  imageTags: IMAGES,
  replicas: list(record({ name: TEXT, count: { type: 'integer', minimum: 0 } }, ['name', 'count'])),
  configMapGenerator: list(record(GENERATOR, ['name'])),
  secretGenerator: list(record({ ...GENERATOR, type: TEXT }, ['name'])),
  generatorOptions: GENERATOR_OPTIONS,
  sortOptions: record(
    {
      order: { enum: ['fifo', 'legacy'] },
      legacySortOptions: record({ orderFirst: TEXTS, orderLast: TEXTS }),
    },
    ['order'],
  ),
});

/** What kustomize does and we don't: refused by name, never left out in silence. */
export const REFUSED: readonly string[] = [
  'buildMetadata',
  'configurations',
  'crds',
  'generators',
  'helmChartInflationGenerator',
  'helmCharts',
  'helmGlobals',
  'openapi',
  'replacements',
  'transformers',
  'validators',
  'vars',
];
