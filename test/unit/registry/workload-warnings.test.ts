import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/object.ts';
import { Cluster } from '../verbs/cluster.ts';

const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const selected = { selector: { matchLabels: { a: 'b' } }, template };
const ofJob = { template: { spec: { ...template.spec, restartPolicy: 'Never' } } };
const huge = { ...ofJob, completionMode: 'Indexed', completions: 100_001, parallelism: 10_001 };

function claim(storage: string): JsonObject {
  const resources = { requests: { storage } };
  return { metadata: { name: 'd' }, spec: { accessModes: ['ReadWriteOnce'], resources } };
}

const NAME = /^metadata\.name: .* DNS label/;

interface Case {
  readonly path: string;
  readonly spec: JsonObject;
  readonly name?: string;
  readonly warnings: readonly RegExp[];
}

const CASES: readonly Case[] = [
  { path: '/apis/apps/v1/namespaces/default/deployments', spec: selected, warnings: [NAME] },
  { path: '/apis/apps/v1/namespaces/default/replicasets', spec: selected, warnings: [NAME] },
  { path: '/apis/apps/v1/namespaces/default/daemonsets', spec: selected, warnings: [] },
  { path: '/api/v1/namespaces/default/replicationcontrollers', spec: { template }, warnings: [NAME] },
  { path: '/apis/batch/v1/namespaces/default/jobs', spec: ofJob, warnings: [NAME] },
  { path: '/apis/batch/v1/namespaces/default/jobs', spec: huge, name: 'ab', warnings: [/^spec: .*10\^5/] },
  {
    path: '/apis/apps/v1/namespaces/default/statefulsets',
    spec: { ...selected, volumeClaimTemplates: [claim('1.5')] },
    name: 'ab',
    warnings: [/^spec\.volumeClaimTemplates\[0\]\.resources\.requests\[storage\]: .* "1500m" is invalid/],
  },
  {
    path: '/apis/apps/v1/namespaces/default/daemonsets',
    spec: {
      ...selected,
      template: { ...template, spec: { ...template.spec, terminationGracePeriodSeconds: -1 } },
    },
    warnings: [/^spec\.template\.spec\.terminationGracePeriodSeconds: must be >= 0/],
  },
  {
    path: '/apis/batch/v1/namespaces/default/cronjobs',
    spec: { schedule: '* * * * *', jobTemplate: { spec: huge } },
    warnings: [NAME, /^spec\.jobTemplate\.spec: .*10\^5/],
  },
];

describe('warnings of workloads', () => {
  let cluster: Cluster;
  before(async () => (cluster = await Cluster.open({ setting: 'default' })));
  after(() => cluster.close());

  for (const { path, spec, name = 'a.b', warnings } of CASES) {
    it(`are those of the reference: ${path}, ${warnings.length}`, async () => {
      const made = await cluster.expect(201, `POST ${path}?dryRun=All`, {
        body: { metadata: { name }, spec },
      });
      assert.equal(made.warnings.length, warnings.length, made.warnings.join('\n'));
      for (const [i, pattern] of warnings.entries()) assert.match(made.warnings[i] ?? '', pattern);
      const plain = await cluster.expect(201, `POST ${path}?dryRun=All`, {
        body: { metadata: { name: 'ab' }, spec },
      });
      assert(!plain.warnings.some((text) => NAME.test(text)));
    });
  }
});
