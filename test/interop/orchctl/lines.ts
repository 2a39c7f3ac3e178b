/** How an output of orchctl must be like that of kubectl. */
export type Likeness =
  /** To the byte, but for what no two objects share: uids, versions, times, the namespace. */
  | 'exact'
  /** As rows of cells, whatever the space between them. */
  | 'columns'
  /** Only the exit code: the words are each program's own. */
  | 'code';

export interface Line {
  readonly line: string;
  readonly like: Likeness;
  /** Whether it is left out against our server, which lacks what it needs. */
  readonly onReferenceOnly?: boolean;
  /** What it reads from standard input. */
  readonly input?: string;
}

export const exact = (line: string, input?: string): Line => ({
  line,
  like: 'exact',
  ...(input === undefined ? {} : { input }),
});
/** Exact, but not against our server. */
export const exactOnReference = (line: string): Line => ({ line, like: 'exact', onReferenceOnly: true });
export const columns = (line: string): Line => ({ line, like: 'columns' });
export const code = (line: string): Line => ({ line, like: 'code' });

const EXTRA = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: extra}\ndata: {a: "1"}\n';

/** Sixty command lines, in an order in which each finds what those before it made. Manifests stand in `manifests.ts`. */
export const LINES: readonly Line[] = [
  // What a server is
  exact('api-resources --verbs=list --namespaced=true -o name'),
  columns('api-resources -o wide'),
  exact('api-versions'),
  code('version'),
  code('cluster-info'),
  exact('explain deployment.spec.strategy'),
  exact('explain pods --recursive'),
  code('explain pods.spec.nonsense'),
  exact('get --raw /readyz'),
  // Making objects
  exact('create -f many.yaml'),
  exact('create -f many.yaml'),
  exact('create -f -', EXTRA),
  exact('apply --server-side -f many.yaml --field-manager=me --force-conflicts'),
  exact('apply --server-side -f changed.yaml --field-manager=me --dry-run=server -o name'),
  code('diff --server-side -f changed.yaml --field-manager=me'),
  exact('apply --server-side -f changed.yaml --field-manager=me'),
  code('diff --server-side -f changed.yaml --field-manager=me'),
  code('apply --server-side -f broken.yaml'),
  exact('create configmap made --from-literal=k=v -o yaml --dry-run=client'),
  exact('create configmap made --from-literal=k=v'),
  exact('create secret generic hidden --from-literal=k=v -o name'),
  // Looking at them
  columns('get pods'),
  columns('get pods -o wide'),
  columns('get pods,services,deployments'),
  columns('get all'),
  columns('get pods -L app,tier --show-labels'),
  columns('get pods --sort-by=.spec.containers[0].image --no-headers'),
  exact('get pods -o yaml'),
  exact('get pods -o json'),
  exact('get deployment web -oyaml'),
  exact('get cm settings -o=json'),
  exact('get pods,cm -o name'),
  exact('get pods -l app=web,tier!=back -o name'),
  exact('get pods --field-selector=metadata.name=web-1 -o name'),
  exact('get pods -o jsonpath={range .items[*]}{.metadata.name}={.spec.containers[*].image};{end}'),
  exact('get pods -o custom-columns=NAME:.metadata.name,IMAGE:.spec.containers[*].image,NONE:.nothing'),
  exact('get pod web-1 missing -o name'),
  exact('get pod missing --ignore-not-found'),
  exact('get pods -n nowhere'),
  exact('get nonsense'),
  exact('get pods --nonsense'),
  columns('get service web -o wide'),
  exact('get service/web deployment/web -o yaml'),
  // Changing them
  exact('label pods -l app=web team=blue'),
  exact('label pod web-1 team=green'),
  exact('annotate deployment web note=yes'),
  exact('patch deployment web -p {"spec":{"paused":true}}'),
  exact('patch configmap settings --type=json -p [{"op":"add","path":"/data/new","value":"1"}]'),
  exact('scale deployment web --replicas=3'),
  exact('get deployment web -o jsonpath={.spec.replicas}'),
  exact('replace -f changed.yaml'),
  exact('get configmap settings -o jsonpath={.data}'),
  exact('rollout pause deployment web'),
  exact('rollout resume deployment web'),
  code('wait --for=condition=Available deployment/web --timeout=1s'),
  exact('wait --for=jsonpath={.spec.replicas}=2 deployment/web --timeout=5s'),
  exact('auth can-i list pods'),
  // Taking them away
  exact('delete configmap extra'),
  exact('delete pods -l app=web --grace-period=0 --wait=false'),
  exact('delete -f many.yaml --ignore-not-found --wait=false'),
];
