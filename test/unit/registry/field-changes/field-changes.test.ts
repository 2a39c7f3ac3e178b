import assert from 'node:assert/strict';
import type { Json, JsonObject } from '../../../../src/meta/object.ts';
import type { Access } from '../../../../src/registry/reviews/reviews.ts';
import { atPointer, translate } from '../../../golden/runner/text.ts';
import { PROFILES } from '../../../support/schemas.ts';
import { Cluster, type TestAnswer } from '../../verbs/cluster.ts';
import type { Change } from './change.ts';
import { TABLE } from './table.ts';

const NOBODY_MAY: Access = {
  authorize: () => Promise.resolve({ verdict: 'noOpinion', reason: '' }),
  explain: () => Promise.resolve({}),
  rulesFor: () => Promise.resolve({ rules: [], incomplete: false, problems: [] }),
};

for (const profile of PROFILES) {
  describe(`what changed with the versions that replace removed ones (${profile})`, () => {
    let cluster: Cluster;
    before(async () => (cluster = await Cluster.open({ profile, setting: 'default', access: NOBODY_MAY })));
    after(() => cluster.close());

    for (const { release, removed, changes } of TABLE) {
      it(`not served since ${release}: ${removed.join(', ')}`, () => {
        for (const [group = '', version = '', resource = ''] of removed.map((text) =>
          translate(text, profile).split('/'),
        ))
          assert.equal(cluster.schemas.resource(group, version, resource), undefined, `${group}/${version}`);
      });

      for (const change of changes) {
        it(`${change.title} (${change.path.split('/').at(-1)}, ${release})`, async () => {
          const { refused = [], unknown, has = {}, ...write } = translate(change, profile);
          const { status, object } = await send(cluster, write);
          if (unknown !== undefined) {
            assert.equal(status, 400);
            assert.match(
              (object as { message?: string }).message ?? '',
              new RegExp(`"${unknown.replace(/[.[\]]/g, '\\$&')}"`),
            );
            return;
          }
          assert.deepEqual(causesOf(object), [...refused].sort(), JSON.stringify(object));
          assert.equal(status, refused.length > 0 ? 422 : write.updates === undefined ? 201 : 200);
          for (const [pointer, value] of Object.entries(has))
            assert.deepEqual(plain(atPointer(object, pointer)), value, pointer);
        });
      }
    }
  });
}

/** Makes the write of a change, in a dry run; what it updates is stored for as long. */
async function send(cluster: Cluster, { path, object, updates }: Omit<Change, 'title'>): Promise<TestAnswer> {
  const query = 'dryRun=All&fieldValidation=Strict';
  const body = { metadata: { name: 'x' }, ...object };
  if (updates === undefined) return cluster.ask(`POST ${path}?${query}`, { body });
  await cluster.expect(201, `POST ${path}`, { body: { metadata: { name: 'x' }, ...updates.before } });
  const target = updates.subresource === '' ? `${path}/x` : `${path}/x/${updates.subresource}`;
  const answer = await cluster.ask(`PUT ${target}?${query}`, { body });
  await cluster.expect(200, `DELETE ${path}/x?propagationPolicy=Background`);
  return answer;
}

function causesOf(object: JsonObject): string[] {
  const details = object['details'] as { causes?: { reason: string; field: string }[] } | undefined;
  return (details?.causes ?? [])
    .map(({ reason, field }) => `${reason.replace('FieldValue', '')} ${field}`)
    .sort();
}

function plain(value: Json | undefined): Json {
  return JSON.parse(JSON.stringify(value ?? null)) as Json;
}
