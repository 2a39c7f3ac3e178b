import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A folder with a kustomization: its files by their path. What kubectl makes of it is in test/fixtures/kustomizations.json. */
export interface KustomizationCase {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  /** The folder to build; the whole by default. */
  readonly folder?: string;
}

const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels: {app: web}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      serviceAccountName: runner
      initContainers: [{name: init, image: "busybox:1.35"}]
      containers:
      - name: web
        image: nginx:1.25
        ports: [{containerPort: 80, name: http}]
        env:
        - {name: MODE, value: slow}
        - name: KEY
          valueFrom: {secretKeyRef: {name: keys, key: k}}
        envFrom: [{configMapRef: {name: settings}}]
      - {name: side, image: "registry.example:5000/side@sha256:0123456789abcdef"}
      volumes:
      - {name: conf, configMap: {name: settings}}
      - {name: data, persistentVolumeClaim: {claimName: data}}
`;
const REST = `apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80, targetPort: http}]}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: runner}
imagePullSecrets: [{name: keys}]
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data}
spec: {accessModes: [ReadWriteOnce], storageClassName: fast, resources: {requests: {storage: 1Gi}}}
---
apiVersion: v1
kind: Secret
metadata: {name: keys}
stringData: {k: v}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data: {mode: fast}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: reader}
rules: [{apiGroups: [""], resources: [configmaps], resourceNames: [settings], verbs: [get]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: reader}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}
subjects:
- {kind: ServiceAccount, name: runner, namespace: default}
- {kind: ServiceAccount, name: default, namespace: default}
- {kind: User, name: jane, apiGroup: rbac.authorization.k8s.io}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web, annotations: {nginx.ingress.kubernetes.io/auth-secret: keys}}
spec:
  tls: [{secretName: keys, hosts: [a.example]}]
  rules: [{host: a.example, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]}}]
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec: {maxReplicas: 3, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: fast}
provisioner: example.com/fast
---
apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: example.com/v1
kind: Widget
metadata: {name: w}
spec: {items: [{name: a}], replicas: 2, containers: [{image: "nginx:1.25"}]}
`;
const WORKLOADS = `apiVersion: batch/v1
kind: CronJob
metadata: {name: nightly}
spec:
  schedule: "0 0 * * *"
  jobTemplate:
    spec:
      template:
        spec: {restartPolicy: Never, containers: [{name: c, image: "busybox", envFrom: [{secretRef: {name: keys}}]}]}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  serviceName: db
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec:
      affinity:
        podAntiAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
          - {topologyKey: host, labelSelector: {matchLabels: {app: db}}}
      containers: [{name: db, image: "postgres"}]
  volumeClaimTemplates: [{metadata: {name: data}, spec: {storageClassName: fast}}]
---
apiVersion: v1
kind: Service
metadata: {name: db}
spec: {clusterIP: None, ports: [{port: 5432}]}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: deny}
spec:
  podSelector: {matchLabels: {app: db}}
  ingress: [{from: [{podSelector: {matchLabels: {app: web}}}, {podSelector: {}}]}]
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: db}
spec: {minAvailable: 1, selector: {matchLabels: {app: db}}}
---
apiVersion: v1
kind: Secret
metadata: {name: keys}
`;
const BASE = {
  'all/deployment.yaml': DEPLOYMENT,
  'all/rest.yaml': REST,
  'all/kustomization.yaml': 'resources: [deployment.yaml, rest.yaml]\n',
};

/** One kustomization over the whole base. */
function overlay(name: string, kustomization: string, more: Record<string, string> = {}): KustomizationCase {
  const files = { ...BASE, 'over/kustomization.yaml': `resources: [../all]\n${kustomization}`, ...more };
  return { name, files, folder: 'over' };
}

function single(name: string, kustomization: string, files: Record<string, string>): KustomizationCase {
  return { name, files: { ...files, 'kustomization.yaml': kustomization } };
}

export const KUSTOMIZATIONS: readonly KustomizationCase[] = [
  overlay('a base as it is', ''),
  overlay('namespace', 'namespace: shop\n'),
  overlay('prefix and suffix', 'namePrefix: a-\nnameSuffix: -z\n'),
  overlay('prefix and namespace', 'namePrefix: a-\nnamespace: other\n'),
  overlay('common labels', 'commonLabels: {team: red, tier: "1"}\n'),
  overlay('labels', 'labels: [{pairs: {team: red}}, {pairs: {a: b}, includeTemplates: true}]\n'),
  overlay('labels in selectors', 'labels: [{pairs: {team: red}, includeSelectors: true}]\n'),
  overlay(
    'labels in other fields',
    'labels: [{pairs: {team: red}, fields: [{path: spec/meta, kind: Widget, group: example.com, create: true}]}]\n',
  ),
  overlay('annotations', 'commonAnnotations: {note: hello}\n'),
  single(
    'labels of other workloads',
    'resources: [w.yaml]\ncommonLabels: {team: red}\ncommonAnnotations: {a: b}\n',
    {
      'w.yaml': WORKLOADS,
    },
  ),
  single('names of other workloads', 'resources: [w.yaml]\nnamePrefix: p-\nnamespace: shop\n', {
    'w.yaml': WORKLOADS,
  }),
  overlay(
    'images',
    'images: [{name: nginx, newTag: "1.27"}, {name: busybox, newName: mirror/busybox, digest: "sha256:ab"}]\n',
  ),
  overlay(
    'images by tag and registry',
    'images: [{name: "registry.example:5000/side", newTag: v2}, {name: nginx, newName: nginx2}, {name: nginx2, newTag: "3"}]\n',
  ),
  overlay('replicas', 'replicas: [{name: web, count: 5}]\n'),
  overlay('replicas of what has got another name', 'namePrefix: a-\nreplicas: [{name: web, count: 5}]\n'),
  overlay(
    'strategic merge patches',
    `patches:
- patch: |-
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: web, labels: {added: "1"}}
    spec:
      replicas: 4
      template:
        spec:
          containers:
          - {name: web, image: "nginx:2", env: [{name: MODE, value: fast}, {name: NEW, value: x}]}
          - {name: new, image: new}
          - {name: side, $patch: delete}
          volumes: [{name: conf, emptyDir: {}, configMap: null}]
- path: service.yaml
`,
    {
      'over/service.yaml':
        'apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {ports: [{port: 81}, {port: 80, name: http}]}\n',
    },
  ),
  overlay(
    'patches that replace and delete',
    `patchesStrategicMerge:
- |-
  apiVersion: v1
  kind: Secret
  metadata: {name: keys}
  $patch: delete
- |-
  apiVersion: v1
  kind: ConfigMap
  metadata: {name: settings}
  data: {$patch: replace, only: this}
- ports.yaml
`,
    {
      'over/ports.yaml':
        'apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {ports: [{$patch: replace}, {port: 90}]}\n',
    },
  ),
  overlay(
    'JSON patches for targets',
    `patches:
- target: {kind: Deployment, name: w.*}
  patch: |-
    - {op: replace, path: /spec/replicas, value: 7}
    - {op: add, path: /spec/template/spec/containers/0/env/-, value: {name: LAST, value: y}}
- target: {kind: Service|ServiceAccount}
  patch: '[{"op": "add", "path": "/metadata/annotations", "value": {"a": "b"}}]'
- target: {labelSelector: app=web}
  patch: |-
    apiVersion: v1
    kind: Any
    metadata: {name: any, annotations: {selected: "yes"}}
patchesJson6902:
- target: {version: v1, kind: ConfigMap, name: settings}
  path: op.yaml
`,
    { 'over/op.yaml': '- op: add\n  path: /data/more\n  value: "1"\n- op: remove\n  path: /data/mode\n' },
  ),
  overlay(
    'patches that change names',
    `patches:
- target: {kind: ConfigMap, name: settings}
  options: {allowNameChange: true}
  patch: |-
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: renamed}
- target: {kind: Secret}
  patch: |-
    - {op: replace, path: /metadata/name, value: other-keys}
`,
  ),
  overlay(
    'patches of custom resources',
    `patches: [{patch: '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w"},"spec":{"items":[{"name":"b"}],"replicas":null}}'}]\n`,
  ),
  single(
    'generated objects',
    `configMapGenerator:
- name: settings
  literals: [a=1, 'b="quoted"', c=x=y]
  files: [some.txt, key=other.bin]
  envs: [vars.env]
- name: plain
  literals: [x=y]
  options: {disableNameSuffixHash: true, immutable: true, labels: {own: l}}
- name: empty
secretGenerator:
- name: keys
  literals: [k=v, html=<&>]
  type: example.com/kind
- name: long
  literals: [key=${'0123456789'.repeat(12)}]
generatorOptions: {labels: {made: "yes"}, annotations: {by: us}}
resources: [pod.yaml]
`,
    {
      'some.txt': 'hello\nworld\n',
      'other.bin': '\u00ff\ufffe\n',
      'vars.env': '# a comment\nONE=1\n\n  TWO=a b\nTHREE\n',
      'pod.yaml': `apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  containers: [{name: c, image: i, envFrom: [{configMapRef: {name: settings}}, {configMapRef: {name: plain}}]}]
  volumes: [{name: v, projected: {sources: [{secret: {name: keys}}, {configMap: {name: empty}}]}}]
`,
    },
  ),
  {
    name: 'generators that merge and replace',
    files: {
      'base/kustomization.yaml':
        'namePrefix: b-\nconfigMapGenerator: [{name: one, literals: [a=1, b=1]}, {name: two, literals: [a=1], options: {labels: {x: w}}}]\nsecretGenerator: [{name: s, literals: [a=1]}]\n',
      'over/kustomization.yaml': `resources: [../base]
nameSuffix: -o
configMapGenerator:
- {name: one, behavior: merge, literals: [b=2, c=2]}
- {name: two, behavior: replace, literals: [z=1], options: {disableNameSuffixHash: true}}
secretGenerator: [{name: s, behavior: merge, literals: [b=2]}]
`,
    },
    folder: 'over',
  },
  {
    name: 'layers and components',
    files: {
      ...BASE,
      'component/kustomization.yaml':
        'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nresources: [extra.yaml]\npatches: [{target: {kind: Deployment}, patch: "[{\\"op\\": \\"add\\", \\"path\\": \\"/metadata/annotations\\", \\"value\\": {\\"from\\": \\"component\\"}}]"}]\nconfigMapGenerator: [{name: gen, literals: [a=b]}]\n',
      'component/extra.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: extra}\n',
      'mid/kustomization.yaml':
        'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nbases: [../all]\ncomponents: [../component]\nnamePrefix: mid-\n',
      'top/kustomization.yaml':
        'resources: [../mid]\nnamespace: top\nnamePrefix: top-\ncommonLabels: {layer: top}\n',
    },
    folder: 'top',
  },
  {
    name: 'one base twice',
    files: {
      'base/kustomization.yaml': 'resources: [c.yaml]\n',
      'base/c.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: x, image: i, envFrom: [{configMapRef: {name: c}}]}]}\n',
      'a/kustomization.yaml': 'resources: [../base]\nnamePrefix: a-\n',
      'b/kustomization.yaml': 'resources: [../base]\nnamePrefix: b-\n',
      'kustomization.yaml': 'resources: [a, b]\nnameSuffix: -s\n',
    },
  },
  single(
    'fields of old, lists and local resources',
    'resources: [list.yaml]\nimageTags: [{name: i, newTag: "2"}]\n',
    {
      'list.yaml': `apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Pod, metadata: {name: b}, spec: {containers: [{name: c, image: i}]}}
- {apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [{name: c, image: "i:1"}]}}
- {apiVersion: v1, kind: ConfigMap, metadata: {name: local, annotations: {config.kubernetes.io/local-config: "true"}}}
`,
    },
  ),
  overlay('the order of reading', 'sortOptions: {order: fifo}\n'),
  overlay(
    'an order of one own',
    'sortOptions: {order: legacy, legacySortOptions: {orderFirst: [Deployment, Widget], orderLast: [Namespace]}}\n',
  ),
];

/** What kubectl refuses, and so do we. The second text is ours: what the message tells. */
export const REFUSED_KUSTOMIZATIONS: readonly (KustomizationCase & { readonly why: RegExp })[] = [
  { name: 'nothing there', files: { 'other.yaml': '' }, why: /unable to find one of 'kustomization.yaml'/ },
  {
    ...single('an unknown field', 'resorces: [a.yaml]\n', {}),
    why: /line 1: resorces: unknown field; is resources meant\?/,
  },
  { ...single('a missing file', 'resources: [a.yaml]\n', {}), why: /a\.yaml' doesn't exist/ },
  { ...single('a wrong type', 'namePrefix: [a]\n', {}), why: /line 1: namePrefix: must be string/ },
  {
    ...single('a resource without name', 'resources: [a.yaml]\n', {
      'a.yaml': 'apiVersion: v1\nkind: Pod\n',
    }),
    why: /a\.yaml: document 1: missing metadata.name/,
  },
  {
    ...single('a resource twice', 'resources: [a.yaml, b.yaml]\n', {
      'a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
      'b.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: default}\n',
    }),
    why: /already registered id: ConfigMap.v1.\[noGrp\]\/a/,
  },
  {
    ...single(
      'a patch for nothing',
      'resources: [a.yaml]\npatches: [{patch: "{apiVersion: v1, kind: ConfigMap, metadata: {name: b}}"}]\n',
      {
        'a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
      },
    ),
    why: /patches\[0\]: no resource matches strategic merge patch ConfigMap/,
  },
  {
    ...single(
      'a JSON patch without target',
      'resources: [a.yaml]\npatches: [{patch: "[{op: remove, path: /data}]"}]\n',
      {
        'a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
      },
    ),
    why: /a JSON patch needs a target/,
  },
  {
    ...single('replicas of nothing', 'resources: [a.yaml]\nreplicas: [{name: a, count: 1}]\n', {
      'a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
    }),
    why: /there is no "a" of any kind that has them/,
  },
  {
    name: 'folders in a circle',
    files: { 'a/kustomization.yaml': 'resources: [../b]\n', 'b/kustomization.yaml': 'resources: [../a]\n' },
    folder: 'a',
    why: /cycle detected/,
  },
  {
    name: 'files from outside',
    files: {
      'a/kustomization.yaml': 'resources: [../b.yaml]\n',
      'b.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
    },
    folder: 'a',
    why: /security; file '.*b.yaml' is not in or below/,
  },
  {
    ...single('merging with nothing', 'configMapGenerator: [{name: a, behavior: merge}]\n', {}),
    why: /does not exist; cannot merge or replace/,
  },
];

/** Writes a case's files. @returns the folder to build, and how to remove all. */
export function writeKustomization({ files, folder = '.' }: KustomizationCase): {
  path: string;
  remove: () => void;
} {
  const root = mkdtempSync(join(tmpdir(), 'orch-kustomize-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), name.endsWith('.bin') ? Buffer.from(text, 'latin1') : text);
  }
  return { path: join(root, folder), remove: () => rmSync(root, { recursive: true }) };
}
