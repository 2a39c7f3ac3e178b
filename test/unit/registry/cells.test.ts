import assert from 'node:assert/strict';
import { createRowMaker } from '../../../src/registry/cells/cells.ts';
import { humanDuration } from '../../../src/lib/human-duration.ts';
import type { ApiObject, Json, JsonObject } from '../../../src/meta/object.ts';
import { PROFILES, readFact } from '../../support/schemas.ts';
import { translate } from '../../golden/runner/text.ts';
import { NOW, openSamples, type Samples } from './samples.ts';

interface TableFact {
  columns: { name: string }[];
  exampleCells?: Json[];
  exampleObject?: string;
}

function rowMakerOf({ registry, names, convert }: Samples): ReturnType<typeof createRowMaker> {
  const makeRow = createRowMaker(names);
  return (resource, object, now) => {
    const stored = registry.stored().find((row) => row.storage?.prefix === resource.storage?.prefix);
    return makeRow(resource, stored === undefined ? object : convert(object as ApiObject, stored), now);
  };
}

/** Cells that depend on what other parts of the server do. */
const ELSEWHERE: Record<string, readonly string[]> = {
  services: ['Cluster-IP', 'Port(s)', 'External-IP'],
  flowschemas: ['MissingPL'],
};

const CREATED = '2026-11-20T18:57:21Z';

/** What the facts tell of that no sample is: objects of which each server has its own, or that hold more than data. */
const OTHERS: Readonly<Record<string, JsonObject>> = {
  '/v1/componentstatuses': {
    metadata: { name: 'controller-manager' },
    conditions: [{ type: 'Healthy', status: 'False', message: 'dial tcp' }],
  },
  '/v1/namespaces': { metadata: { name: 'ex' }, status: { phase: 'Active' } },
  'certificates.k8s.io/v1/certificatesigningrequests': {
    metadata: { name: 'ex' },
    spec: { signerName: 'x.y/z', username: 'admin' },
    status: {},
  },
  'internal.apiserver.k8s.io/v1alpha1/storageversions': {
    metadata: { name: 'admissionregistration.k8s.io.mutatingadmissionpolicies' },
    status: { commonEncodingVersion: 'admissionregistration.k8s.io/v1alpha1', storageVersions: [] },
  },
  'networking.k8s.io/v1beta1/ipaddresses': {
    metadata: { name: '10.0.0.1' },
    spec: { parentRef: { group: '', resource: 'services', namespace: 'default', name: 'kubernetes' } },
  },
  'networking.k8s.io/v1beta1/servicecidrs': {
    metadata: { name: 'kubernetes' },
    spec: { cidrs: ['10.0.0.0/24'] },
  },
};

for (const profile of PROFILES) {
  describe(`Table cells of the reference (${profile})`, () => {
    const opened = openSamples(profile);
    const { registry, samples, completed } = opened;
    const makeRow = rowMakerOf(opened);
    const facts = translate(readFact<Record<string, TableFact>>('tables.json'), profile);
    const others = translate(OTHERS, profile);

    for (const [key, { columns, exampleCells, exampleObject }] of Object.entries(facts)) {
      const [plural = '', version = '', group = ''] = key.replace(/^\//, '').split('/').reverse();
      const resource = registry.resource(group, version, plural);
      assert(resource, key);
      const [, gvk = '', kindOfSample = ''] = /^samples.json (\S+) (\S+)$/.exec(exampleObject ?? '') ?? [];

      it(`are as many as the columns: ${key}`, () => {
        const { cells } = makeRow(resource, { metadata: { name: 'x', creationTimestamp: null } }, NOW);
        // The reference gives one cell too many for addresses, and kubectl knows it so.
        const extra = plural === 'ipaddresses' ? 1 : 0;
        assert.equal(cells.length, columns.length + extra);
      });

      const wanted = kindOfSample === 'full' ? `${gvk} [full sample]` : gvk;
      if (exampleCells === undefined) continue; // only the columns were seen
      const other = others[key];
      const sample = samples().find(({ title }) => title === wanted);

      it(`are those of the reference: ${key}`, () => {
        const object =
          other === undefined ? completed(found(sample, key)) : (structuredClone(other) as ApiObject);
        object.metadata.creationTimestamp = CREATED;
        object.metadata.name = typeof exampleCells[0] === 'string' ? exampleCells[0] : 'ex';
        if (plural === 'events') object.metadata.name = 'ex';
        const { cells } = makeRow(resource, object, NOW + 60_000);
        for (const [i, expected] of exampleCells.entries()) {
          const column = columns[i]?.name ?? '';
          if (ELSEWHERE[plural]?.includes(column)) continue;
          if (expected === '<age>' || (typeof expected === 'string' && /^\d+m$/.test(expected)))
            assert.match(String(cells[i]), /^\d+[smhdy]|<unknown>/, column);
          else if (typeof expected === 'string' && /uid=|<text>|admin/.test(expected)) continue;
          else assert.deepEqual(cells[i], expected, column);
        }
      });
    }
  });
}

function found<T>(value: T | undefined, key: string): T {
  assert(value, `no sample of ${key}`);
  return value;
}

describe('Table cells', () => {
  const opened = openSamples('kubernetes');
  const { registry } = opened;
  const makeRow = rowMakerOf(opened);

  it('are name and creation for a kind without columns', () => {
    const resource = registry.resource('rbac.authorization.k8s.io', 'v1', 'roles');
    assert.ok(resource);
    const object = { metadata: { name: 'r', creationTimestamp: '2026-11-20T18:57:21Z' } };
    assert.deepEqual(makeRow(resource, object, NOW), { cells: ['r', '2026-11-20T18:57:21Z'] });
  });

  describe('of pods', () => {
    const resource = registry.resource('', 'v1', 'pods');
    const cells = (fields: JsonObject) => {
      assert.ok(resource);
      const metadata = {
        name: 'p',
        creationTimestamp: '2026-11-20T18:57:21Z',
        ...(fields.metadata as object),
      };
      return makeRow(resource, { ...fields, metadata }, NOW + 5000).cells;
    };
    const spec = { containers: [{ name: 'a' }, { name: 'b' }] };
    const running = { ready: true, state: { running: {} } };
    const cases: [title: string, fields: JsonObject, expected: (string | undefined)[]][] = [
      ['waiting', { spec, status: { phase: 'Pending' } }, ['0/2', 'Pending', '0']],
      [
        'crashing',
        {
          spec,
          status: {
            phase: 'Running',
            containerStatuses: [
              { ...running },
              {
                restartCount: 3,
                state: { waiting: { reason: 'CrashLoopBackOff' } },
                lastState: { terminated: { finishedAt: '2026-11-20T18:57:16Z' } },
              },
            ],
          },
        },
        ['1/2', 'CrashLoopBackOff', '3 (10s ago)'],
      ],
      [
        'killed by a signal',
        { spec, status: { phase: 'Failed', containerStatuses: [{ state: { terminated: { signal: 9 } } }] } },
        ['0/2', 'Signal:9', '0'],
      ],
      [
        'initializing',
        {
          spec: { ...spec, initContainers: [{ name: 'i' }, { name: 'j' }] },
          status: {
            phase: 'Pending',
            initContainerStatuses: [{ state: { terminated: { exitCode: 0 } } }, { state: { waiting: {} } }],
          },
        },
        ['0/2', 'Init:1/2', '0'],
      ],
      [
        'with a running sidecar',
        {
          spec: { ...spec, initContainers: [{ name: 'i', restartPolicy: 'Always' }] },
          status: {
            phase: 'Running',
            initContainerStatuses: [{ name: 'i', started: true, ready: true, state: { running: {} } }],
            containerStatuses: [running, running],
          },
        },
        ['3/3', 'Running', '0'],
      ],
      [
        'going',
        {
          spec,
          metadata: { deletionTimestamp: '2026-11-20T18:57:21Z' },
          status: { phase: 'Running', containerStatuses: [running, running] },
        },
        ['2/2', 'Terminating', '0'],
      ],
      [
        'on a lost node',
        {
          spec,
          metadata: { deletionTimestamp: '2026-11-20T18:57:21Z' },
          status: { phase: 'Running', reason: 'NodeLost' },
        },
        ['0/2', 'Unknown', '0'],
      ],
      [
        'gated',
        {
          spec,
          status: {
            phase: 'Pending',
            conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }],
          },
        },
        ['0/2', 'SchedulingGated', '0'],
      ],
    ];
    for (const [title, fields, expected] of cases) {
      it(`tell of a pod that is ${title}`, () => assert.deepEqual(cells(fields).slice(1, 4), expected));
    }

    it('mark finished ones', () => {
      assert.ok(resource);
      const { conditions } = makeRow(
        resource,
        { metadata: { name: 'p' }, status: { phase: 'Succeeded' } },
        NOW,
      );
      assert.equal(conditions?.[0]?.type, 'Completed');
    });
  });
});

describe('a duration for people', () => {
  const cases: [seconds: number, text: string][] = [
    [-2, '<invalid>'],
    [-1, '0s'],
    [0, '0s'],
    [119, '119s'],
    [120, '2m'],
    [125, '2m5s'],
    [600, '10m'],
    [3600 * 3, '3h'],
    [3600 * 7 + 60, '7h1m'],
    [3600 * 8 + 60, '8h'],
    [3600 * 48, '2d'],
    [3600 * 49, '2d1h'],
    [86400 * 8 + 3600, '8d'],
    [86400 * 365 * 2, '2y'],
    [86400 * (365 * 2 + 3), '2y3d'],
    [86400 * 365 * 9, '9y'],
  ];
  for (const [seconds, text] of cases) {
    it(`${seconds}s is ${text}`, () => assert.equal(humanDuration(seconds * 1000), text));
  }
});
