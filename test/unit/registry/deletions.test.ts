import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/object.ts';
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

/** What admission plugins, allocators and extension servers do. */
const ELSEWHERE: readonly string[] = [
  'v1/PersistentVolume',
  'v1/PersistentVolumeClaim',
  'v1/Service',
  'apiextensions.k8s.io/v1/CustomResourceDefinition',
];

/** Kinds whose names follow from other fields: they keep theirs. */
const OWN_NAME: readonly string[] = ['apiregistration.k8s.io/v1/APIService'];

for (const profile of PROFILES) {
  describe(`deletions of kinds (${profile})`, () => {
    let cluster: Cluster;
    before(async () => {
      cluster = await Cluster.open({ profile, setting: 'default' });
      await cluster.expect(201, 'POST /api/v1/namespaces', { body: { metadata: { name: 'probe' } } });
    });
    after(() => cluster.close());

    const facts = readFact<DeletionFacts>('graceful.json');
    const samples = new Map(readRuleGroups('updates').map((group) => [group.title, group]));
    for (const [kind, byPolicy] of Object.entries(facts)) {
      const sample = samples.get(kind);
      if (sample === undefined || ELSEWHERE.includes(kind)) continue;
      const { path, object } = translate(sample, profile);
      for (const policy of ['default', 'Background', 'Foreground', 'Orphan']) {
        const fact = byPolicy[policy] ?? byPolicy['default'];
        if (fact === undefined || typeof fact === 'string') continue;
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
  });
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
