import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CHART } from '../support/chart.ts';
import { startProcess, type ServerProcess } from '../support/server-process.ts';
import { crdProblems } from './chart-crds.ts';
import {
  callWith,
  collectionPath,
  examplePath,
  optionalPeer,
  template,
  templateOutcome,
  titled,
  workloadOf,
  type Call,
  type Manifest,
} from './chart-tools.ts';
import { run } from './peers.ts';

const helm = optionalPeer('helm');

interface Selecting {
  readonly selector?: { readonly matchLabels?: object };
  readonly podSelector?: { readonly matchLabels?: object };
}

/** Values beyond the examples: each is rendered with both stores. */
const SWITCHES: readonly string[][] = [
  [],
  ['naming=kubernetes'],
  ['metrics.serviceMonitor.enabled=true', 'metrics.serviceMonitor.job=apiserver'],
  ['metrics.prometheusRule.enabled=true', 'metrics.prometheusRule.alertLabels.team=blue'],
  ['grafana.dashboards.enabled=true'],
  ['networkPolicy.enabled=true'],
  ['logging.format=text', 'logging.verbosity=4'],
  ['tls.certManager.enabled=true', 'tls.certManager.issuerRef.name=ca'],
  ['tls.existingSecret=mine', 'auth.existingSecret=mine-too', 'auth.clientCA.existingSecret=ca'],
  ['service.type=LoadBalancer', 'service.port=6443', 'tls.extraNames={a.example,192.0.2.1,2001:db8::1}'],
  ['extraArgs.history=1h', 'extraArgs.naming=kubernetes'],
  ['resources=null', 'podSecurityContext=null', 'securityContext=null'],
];

describe(titled('the chart, as helm renders it', { helm }), function () {
  this.timeout(120_000);
  let server: ServerProcess;
  let call: Call;

  before(async function () {
    if (helm === undefined) return this.skip();
    server = await startProcess({ args: ['--naming=kubernetes'] });
    call = callWith(server.kubeconfig);
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'it' } };
    assert.equal((await call('POST', '/api/v1/namespaces', namespace)).status, 201);
  });
  after(() => server?.stop());

  const examples = readdirSync(join(CHART, 'ci')).map((name) => ({
    name,
    flags: [`--values=${examplePath(name)}`],
  }));
  const matrix = [
    ...examples,
    ...SWITCHES.flatMap((switches) => {
      const name = switches.join(' ') || 'the defaults';
      const flags = switches.map((one) => `--set=${one}`);
      return [
        { name: `${name}, embedded`, flags },
        { name: `${name}, etcd`, flags: [...flags, '--set=etcd.endpoints={http://etcd:2379}'] },
      ];
    }),
  ];

  for (const { name, flags } of matrix) {
    it(`is valid in every object: ${name}`, async () => {
      const objects = template(helm!, flags);
      assert.ok(objects.length >= 3);
      for (const object of objects) await accepted(object);
      for (const object of objects) selects(object, objects);
    });
  }

  /** Ours as the host cluster refuses unknown fields, and values that its own validation refuses. */
  async function accepted(object: Manifest): Promise<void> {
    const what = `${object.kind} ${object.metadata.name}`;
    assert.equal(object.metadata.namespace, 'it', what);
    assert.ok(object.metadata.labels?.['app.kubernetes.io/instance'], `${what} has no labels`);
    const problems = crdProblems(object);
    if (problems !== undefined) return assert.deepEqual(problems, [], what);
    const path = `${collectionPath(object)}?dryRun=All&fieldValidation=Strict`;
    const { status, text } = await call('POST', path, object);
    assert.equal(status, 201, `${what}: ${text}`);
  }

  /** Services, budgets, policies and monitors must find the pods, and nothing else of the release. */
  function selects(object: Manifest, all: readonly Manifest[]): void {
    if (!['Service', 'PodDisruptionBudget', 'NetworkPolicy'].includes(object.kind)) return;
    const spec = object.spec as Selecting;
    const labels = (spec.selector?.matchLabels ?? spec.podSelector?.matchLabels ?? spec.selector) as object;
    const matches = (found: Readonly<Record<string, string>> = {}): boolean =>
      Object.entries(labels).every(([key, value]) => found[key] === value);
    assert.ok(matches(workloadOf(all).spec.template.metadata.labels), `${object.kind} selects no pod`);
    const test = all.find(({ kind }) => kind === 'Pod');
    assert.ok(test && !matches(test.metadata.labels), `${object.kind} selects the pod of the test`);
  }

  it('passes lint --strict, with every example', () => {
    for (const { name, flags } of [{ name: 'defaults', flags: [] as string[] }, ...examples]) {
      const { status, stdout } = run(helm!, ['lint', '--strict', CHART, ...flags]);
      assert.equal(status, 0, `${name}: ${stdout}`);
    }
  });

  it('runs without rights on a root that is read-only, with probes of the API', () => {
    for (const flags of [[], ['--set=etcd.endpoints={http://etcd:2379}']]) {
      const { spec } = workloadOf(template(helm!, flags)).spec.template;
      assert.equal(spec.automountServiceAccountToken, false);
      const { runAsNonRoot, runAsUser, seccompProfile } = spec.securityContext ?? {};
      assert.deepEqual([runAsNonRoot, runAsUser, seccompProfile], [true, 65532, { type: 'RuntimeDefault' }]);
      const [container] = spec.containers;
      assert.deepEqual(container.securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      const probes = [container.startupProbe, container.readinessProbe, container.livenessProbe];
      const paths = probes.map(({ httpGet }) => httpGet.path);
      assert.deepEqual(paths, ['/readyz', '/readyz', '/livez']);
      assert.ok(container.resources?.requests['memory'] && container.resources.limits['memory']);
    }
  });

  it('is a StatefulSet with a volume on the embedded store, a Deployment on an etcd', () => {
    assert.equal(workloadOf(template(helm!)).kind, 'StatefulSet');
    const etcd = ['--set=etcd.endpoints={http://a:2379,http://b:2379}', '--set=replicaCount=3'];
    const { kind, spec } = workloadOf(template(helm!, etcd));
    assert.deepEqual([kind, spec.replicas], ['Deployment', 3]);
    const { args = [] } = spec.template.spec.containers[0];
    assert.ok(args.includes('--etcd-servers=http://a:2379,http://b:2379'), args.join(' '));
  });

  const refused: [string, string, RegExp][] = [
    ['two gateways on the embedded store', 'replicaCount=2', /replicaCount/],
    ['a value that there is not', 'replicas=1', /replicas/],
    [
      'a grace period that ends before the delay',
      'terminationGracePeriodSeconds=5',
      /must be more than shutdown/,
    ],
    ['cert-manager without an issuer', 'tls.certManager.enabled=true', /issuerRef/],
  ];
  for (const [what, set, message] of refused) {
    it(`refuses ${what}`, () => {
      const { status, stderr } = templateOutcome(helm!, [`--set=${set}`]);
      assert.notEqual(status, 0);
      assert.match(stderr, message);
    });
  }
});
