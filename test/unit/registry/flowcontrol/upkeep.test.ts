import assert from 'node:assert/strict';
import type { ApiObject } from '../../../../src/meta/object.ts';
import { isLeftOver, revised } from '../../../../src/registry/flowcontrol/upkeep.ts';

const ANNOTATION = 'apf.orch.io/autoupdate-spec';
const SUGGESTED = { annotation: ANNOTATION, mandatory: false };
const MANDATORY = { annotation: ANNOTATION, mandatory: true };

function level(spec: ApiObject['spec'], said?: string, generation = 1): ApiObject {
  const annotations = said === undefined ? {} : { annotations: { [ANNOTATION]: said } };
  return {
    apiVersion: 'flowcontrol.apiserver.orch.io/v1',
    kind: 'PriorityLevelConfiguration',
    metadata: { name: 'one', generation, ...annotations },
    spec: spec ?? {},
  };
}

const WANTED = level({ type: 'Limited', limited: { nominalConcurrencyShares: 5 } }, 'true');
const OTHER = { type: 'Limited', limited: { nominalConcurrencyShares: 6 } };

describe('flow-control configuration that exists', () => {
  it('stays as it is where it is as it is to be', () => {
    assert.equal(revised(level(WANTED.spec, 'true'), WANTED, SUGGESTED), undefined);
  });

  it('is brought up to date where it says so', () => {
    assert.deepEqual(revised(level(OTHER, 'true', 3), WANTED, SUGGESTED)?.spec, WANTED.spec);
  });

  it('is left alone where it says so', () => {
    assert.equal(revised(level(OTHER, 'false'), WANTED, SUGGESTED), undefined);
  });

  it('is brought up to date where it says nothing and nobody changed it', () => {
    const object = revised(level(OTHER), WANTED, SUGGESTED);
    assert.deepEqual(object?.spec, WANTED.spec);
    assert.equal(object?.metadata.annotations?.[ANNOTATION], 'true');
  });

  it('is left alone from then on where it says nothing and somebody changed it', () => {
    const object = revised(level(OTHER, undefined, 2), WANTED, SUGGESTED);
    assert.deepEqual(object?.spec, OTHER);
    assert.equal(object?.metadata.annotations?.[ANNOTATION], 'false');
  });

  it('is brought up to date whatever it says where the system can not do without it', () => {
    const object = revised(level(OTHER, 'false', 2), WANTED, MANDATORY);
    assert.deepEqual(object?.spec, WANTED.spec);
    assert.equal(object?.metadata.annotations?.[ANNOTATION], 'true');
  });

  it('keeps what administrators may change of the exempt level', () => {
    const exempt = level({ type: 'Exempt', exempt: { nominalConcurrencyShares: 0 } }, 'true');
    const changed = level({ type: 'Exempt', exempt: { nominalConcurrencyShares: 9 } }, 'true', 2);
    assert.equal(revised(changed, exempt, MANDATORY), undefined);
  });

  it('goes where an earlier release had it and nobody wants it any more', () => {
    const wanted = new Set(['other']);
    assert.equal(isLeftOver(level({}, 'true'), wanted, ANNOTATION), true);
    assert.equal(isLeftOver(level({}, 'false'), wanted, ANNOTATION), false);
    assert.equal(isLeftOver(level({}), wanted, ANNOTATION), false);
    assert.equal(isLeftOver(level({}, 'true'), new Set(['one']), ANNOTATION), false);
  });
});
