import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { chartReadme, chartValues } from '../../../hack/build/chart-docs.ts';
import type { FlagSource } from '../../../hack/import/flags.ts';
import { CHART, chartFile } from '../../support/chart.ts';

const ROOT = join(import.meta.dirname, '../../..');

describe("the chart's values", () => {
  const valuesYaml = chartFile('values.yaml');
  const defaults = parse(valuesYaml) as object;
  const schema = JSON.parse(chartFile('values.schema.json')) as object;
  const check = new Ajv({
    strict: true,
    allowUnionTypes: true,
    strictRequired: false,
    strictTypes: false,
  }).compile(schema);

  it('are all documented, and the README has them', async () => {
    const undocumented = chartValues(valuesYaml).filter(({ description }) => description === undefined);
    assert.deepEqual(undocumented, []);
    const readme = chartFile('README.md');
    assert.equal(await chartReadme(readme, valuesYaml), readme, 'run: node hack/write-chart-docs.ts');
  });

  it('are accepted by the schema as they stand, and in every example', () => {
    assert.ok(check(defaults), JSON.stringify(check.errors));
    for (const name of readdirSync(join(CHART, 'ci'))) {
      const values = merged(defaults, parse(chartFile(`ci/${name}`)) as object);
      assert.ok(check(values), `${name}: ${JSON.stringify(check.errors)}`);
    }
  });

  it('are known to the schema, each with its type', () => {
    const known = new Set(leaves((schema as { properties: object }).properties));
    for (const { path } of chartValues(valuesYaml)) assert.ok(known.has(path), path);
  });

  const etcd = { endpoints: ['https://etcd:2379'] };
  const refused: [string, object, string][] = [
    ['a misspelt value', { replicas: 2 }, '/'],
    ['a misspelt value inside', { image: { repo: 'x' } }, '/image'],
    ['two gateways on the embedded store', { replicaCount: 2 }, '/replicaCount'],
    ['autoscaling on the embedded store', { autoscaling: { enabled: true } }, '/autoscaling/enabled'],
    [
      'a disruption budget on the embedded store',
      { podDisruptionBudget: { enabled: true } },
      '/podDisruptionBudget/enabled',
    ],
    ['a naming profile that there is not', { naming: 'k8s' }, '/naming'],
    ['an etcd member without a scheme', { etcd: { endpoints: ['etcd:2379'] } }, '/etcd/endpoints/0'],
    ['a prefix without a slash', { etcd: { ...etcd, prefix: 'registry' } }, '/etcd/prefix'],
    [
      'cert-manager without an issuer',
      { tls: { certManager: { enabled: true } } },
      '/tls/certManager/issuerRef',
    ],
    [
      'cert-manager for a secret that exists',
      { tls: { existingSecret: 'mine', certManager: { enabled: true, issuerRef: { name: 'ca' } } } },
      '/tls/existingSecret',
    ],
    [
      'a number for a flag, which may be written in another way',
      { extraArgs: { 'event-ttl': 1e6 } },
      '/extraArgs/event-ttl',
    ],
    ['a flag with dashes', { extraArgs: { '--v': '2' } }, '/extraArgs'],
    ['a digest of another form', { image: { digest: 'md5:0' } }, '/image/digest'],
    ['a size that is none', { persistence: { size: 'big' } }, '/persistence/size'],
    [
      'a kubeconfig for a server without TLS',
      { auth: { kubeconfigServer: 'http://x' } },
      '/auth/kubeconfigServer',
    ],
    [
      'an interval without a unit',
      { metrics: { serviceMonitor: { interval: '30' } } },
      '/metrics/serviceMonitor/interval',
    ],
  ];
  for (const [what, values, path] of refused) {
    it(`refuses ${what}`, () => {
      assert.equal(check(merged(defaults, values)), false);
      const paths = check.errors?.map(({ instancePath }) => instancePath || '/') ?? [];
      assert.ok(
        paths.some((found) => found === path),
        `${paths.join(' ')} rather than ${path}`,
      );
    });
  }

  it('may ask for several gateways, a budget and autoscaling on an etcd', () => {
    const values = {
      etcd,
      replicaCount: 3,
      podDisruptionBudget: { enabled: true },
      autoscaling: { enabled: true },
    };
    assert.ok(check(merged(defaults, values)), JSON.stringify(check.errors));
  });
});

describe('the chart', () => {
  it('is of the version of the package', () => {
    const chart = parse(chartFile('Chart.yaml')) as Record<string, string>;
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    assert.equal(chart['appVersion'], version);
    assert.match(chart['version'] ?? '', /^\d+\.\d+\.\d+$/);
    assert.equal(chart['apiVersion'], 'v2');
  });

  it('uses flags that there are, and that do what they say', () => {
    const { sections } = parse(readFileSync(join(ROOT, 'schemas/flags.yaml'), 'utf8')) as FlagSource;
    const rows = new Map(Object.values(sections).flatMap((section) => Object.entries(section)));
    const pod = chartFile('templates/_pod.tpl');
    const flags = [...pod.matchAll(/^ *"([a-z0-9-]+)" |set \$args "([a-z-]+)"/gm)].map(
      (m) => m[1] ?? m[2] ?? '',
    );
    assert.ok(flags.includes('etcd-servers') && flags.includes('naming'), flags.join(' '));
    for (const flag of flags) {
      const row = rows.get(flag);
      assert.ok(row, `--${flag}`);
      assert.ok(
        row.later === undefined && row.unused === undefined && row.deprecated === undefined,
        `--${flag}`,
      );
    }
  });
});

/** As Helm merges values: maps deeply, everything else replaced. */
function merged(into: object, values: object): object {
  const result: Record<string, unknown> = { ...into };
  for (const [key, value] of Object.entries(values) as [string, unknown][]) {
    const old = result[key];
    result[key] = isMap(old) && isMap(value) ? merged(old, value) : value;
  }
  return result;
}

function isMap(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Paths of all properties that a schema names. */
function leaves(properties: object, parent = ''): string[] {
  return Object.entries(properties).flatMap(([name, value]: [string, { properties?: object }]) => [
    parent + name,
    ...(value.properties === undefined ? [] : leaves(value.properties, `${parent}${name}.`)),
  ]);
}
