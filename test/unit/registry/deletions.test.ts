import assert from 'node:assert/strict';
import { storageObjectInUseProtection } from '../../../src/admission/storage/plugins.ts';
import type { JsonObject } from '../../../src/meta/object.ts';
import { loadNames } from '../../../src/names/load.ts';
import { translate } from '../../golden/runner/text.ts';
import { readRuleGroups } from '../../support/rule-cases.ts';
import { PROFILES, readFact } from '../../support/schemas.ts';
import { Cluster, type TestAnswer } from '../verbs/cluster.ts';

/** What the reference does with an object that is deleted. */
interface Deletion {
  readonly status: number;
  readonly bodyKind: string;
  readonly detailsKind?: string;
  readonly goneImmediately: boolean;
  readonly deletionTimestampSet?: boolean;
  readonly deletionGracePeriodSeconds?: number;
  readonly finalizers?: readonly string[];
}

/** By kind, then by propagation policy: the differences from `default`. Texts are what could not be tried. */
type DeletionFacts = Readonly<Record<string, Readonly<Record<string, Deletion | string>>>>;

const POLICIES = ['default', 'Background', 'Foreground', 'Orphan'];

/** Kinds whose names follow from other fields: they keep theirs. */
const OWN_NAME: readonly string[] = [
  'apiextensions.k8s.io/v1/CustomResourceDefinition',
  'apiregistration.k8s.io/v1/APIService',
];

/** What of the facts is tried apart: pods have a time to stop. */
const APART: readonly string[] = ['v1/Pod'];

/** A deletion of a pod, what comes of it and, where the pod stays, its grace period once it is deleted again within 5 s. */
interface PodDeletion {
  readonly title: string;
  readonly spec: JsonObject;
  readonly options: JsonObject;
  readonly want: Partial<Deletion>;
  readonly later?: number;
}

const ON_NODE = { nodeName: 'n' };
const stays = (deletionGracePeriodSeconds: number, ...finalizers: string[]): Partial<Deletion> => ({
  goneImmediately: false,
  deletionGracePeriodSeconds,
  finalizers,
});
const GOES: Partial<Deletion> = { goneImmediately: true, deletionGracePeriodSeconds: 0 };

/** The facts tell of one pod that was there already; these are the answers for each pod by itself. */
const PODS: readonly PodDeletion[] = [
  { title: 'without a node', spec: {}, options: {}, want: GOES },
  { title: 'without a node, in 5 s', spec: {}, options: { gracePeriodSeconds: 5 }, want: GOES },
  {
    title: 'without a node, Foreground',
    spec: {},
    options: { propagationPolicy: 'Foreground' },
    want: stays(0, 'foregroundDeletion'),
    later: 0,
  },
  {
    title: 'without a node, Orphan',
    spec: {},
    options: { propagationPolicy: 'Orphan' },
    want: stays(0, 'orphan'),
    later: 0,
  },
  { title: 'on a node', spec: ON_NODE, options: {}, want: stays(30), later: 5 },
  { title: 'on a node, in 5 s', spec: ON_NODE, options: { gracePeriodSeconds: 5 }, want: stays(5), later: 5 },
  { title: 'on a node, now', spec: ON_NODE, options: { gracePeriodSeconds: 0 }, want: GOES },
  {
    title: 'on a node, with a time of its own',
    spec: { ...ON_NODE, terminationGracePeriodSeconds: 7 },
    options: {},
    want: stays(7),
    later: 5,
  },
  {
    title: 'on a node, with no time',
    spec: { ...ON_NODE, terminationGracePeriodSeconds: 0 },
    options: {},
    want: GOES,
  },
  {
    title: 'on a node, Foreground',
    spec: ON_NODE,
    options: { propagationPolicy: 'Foreground' },
    want: stays(30, 'foregroundDeletion'),
    later: 5,
  },
  {
    title: 'on a node, Orphan',
    spec: ON_NODE,
    options: { propagationPolicy: 'Orphan' },
    want: stays(30, 'orphan'),
    later: 5,
  },
];

for (const profile of PROFILES) {
  describe(`deletions of kinds (${profile})`, () => {
    let cluster: Cluster;
    before(async () => {
      const names = loadNames({ profile });
      const inUse = storageObjectInUseProtection({
        persistentvolumes: names.get('finalizer.pv-protection'),
        persistentvolumeclaims: names.get('finalizer.pvc-protection'),
      });
      cluster = await Cluster.open({ profile, setting: 'default', services: true, plugins: [inUse] });
      await cluster.expect(201, 'POST /api/v1/namespaces', { body: { metadata: { name: 'probe' } } });
    });
    after(() => cluster.close());

    const facts = readFact<DeletionFacts>('graceful.json');
    const samples = new Map(readRuleGroups('updates').map((group) => [group.title, group]));
    for (const [kind, byPolicy] of Object.entries(facts)) {
      if (APART.includes(kind)) continue;
      const sample = samples.get(kind);
      assert(sample, `no object of ${kind} to delete`);
      const { path, object } = translate(sample, profile);
      for (const policy of POLICIES) {
        const fact = byPolicy[policy] ?? byPolicy['default'];
        assert(typeof fact === 'object', `${kind}, ${policy}: ${JSON.stringify(fact)}`);
        it(`are those of the reference: ${kind}, ${policy}`, async () => {
          const name = OWN_NAME.includes(kind) ? nameOf(object) : `d-${policy.toLowerCase()}`;
          await cluster.expect(201, `POST ${path}`, { body: named(object, name) });
          const query = policy === 'default' ? '' : `?propagationPolicy=${policy}`;
          const deleted = await cluster.ask(`DELETE ${path}/${name}${query}`);
          const after = await cluster.ask(`GET ${path}/${name}`);
          assert.deepEqual(outcome(deleted, after), expected(translate(fact, profile)));
          await cluster.ask(`PATCH ${path}/${name}`, {
            body: { metadata: { finalizers: null } },
            contentType: 'application/merge-patch+json',
          });
        });
      }
    }

    for (const { title, spec, options, want, later } of PODS) {
      it(`are those of the reference: v1/Pod, ${title}`, async () => {
        const path = '/api/v1/namespaces/probe/pods';
        const name = `p-${title.toLowerCase().replaceAll(/\W+/g, '-')}`;
        const containers = [{ name: 'c', image: 'i' }];
        await cluster.expect(201, `POST ${path}`, {
          body: { metadata: { name }, spec: { containers, ...spec } },
        });
        const deleted = await cluster.ask(`DELETE ${path}/${name}`, { body: deleteOptions(options) });
        const after = await cluster.ask(`GET ${path}/${name}`);
        const fact = { status: 200, bodyKind: 'Pod', deletionTimestampSet: true, finalizers: [], ...want };
        assert.deepEqual(outcome(deleted, after), fact);
        if (later === undefined) return;
        const again = await cluster.ask(`DELETE ${path}/${name}`, {
          body: deleteOptions({ gracePeriodSeconds: 5 }),
        });
        assert.equal(again.object.metadata.deletionGracePeriodSeconds, later);
      });
    }
  });
}

function deleteOptions(fields: JsonObject): JsonObject {
  return { kind: 'DeleteOptions', apiVersion: 'v1', ...fields };
}

function nameOf(object: JsonObject): string {
  return (object['metadata'] as { name: string }).name;
}

function named(object: JsonObject, name: string): JsonObject {
  return { ...object, metadata: { ...(object['metadata'] as JsonObject), name } };
}

function expected(fact: Deletion): Deletion {
  return fact.deletionTimestampSet === true ? { finalizers: [], ...fact } : fact;
}

function outcome({ status, object }: TestAnswer, after: TestAnswer): Deletion {
  const { metadata, kind: bodyKind } = object;
  const details = object['details'] as { kind?: string } | undefined;
  const goneImmediately = after.status === 404;
  return {
    status,
    bodyKind,
    goneImmediately,
    ...(details?.kind === undefined ? {} : { detailsKind: details.kind }),
    ...(metadata.deletionTimestamp == null
      ? {}
      : { deletionTimestampSet: true, finalizers: metadata.finalizers ?? [] }),
    ...(metadata.deletionGracePeriodSeconds === undefined
      ? {}
      : { deletionGracePeriodSeconds: metadata.deletionGracePeriodSeconds }),
  };
}
