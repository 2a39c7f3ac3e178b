import assert from 'node:assert/strict';
import { danglingFlowSchemas } from '../../../src/controllers/flow-control/dangling.ts';
import { flowControlUpkeep } from '../../../src/controllers/flow-control/upkeep.ts';
import { objectAt, objectsAt } from '../../../src/meta/fields.ts';
import type { ApiObject, JsonObject } from '../../../src/meta/object.ts';
import { ControllerWorld } from './running-controller.ts';

const GROUP = '/apis/flowcontrol.apiserver.k8s.io/v1';
const SCHEMAS = `${GROUP}/flowschemas`;
const LEVELS = `${GROUP}/prioritylevelconfigurations`;
const schema = (name: string, level: string) => ({
  metadata: { name },
  spec: { priorityLevelConfiguration: { name: level } },
});
const level = (name: string) => ({
  metadata: { name },
  spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } },
});

function dangling(object: ApiObject | undefined): JsonObject | undefined {
  return objectsAt(objectAt(object, 'status'), 'conditions').find(({ type }) => type === 'Dangling');
}

describe('flow-control configuration while the server runs', () => {
  let world: ControllerWorld;
  beforeEach(async () => (world = await ControllerWorld.open()));
  afterEach(() => world.close());
  const says = (name: string, status: string) =>
    world.becomes(`${SCHEMAS}/${name}`, (object) => dangling(object)?.['status'] === status);

  it('says which schemas name a level that is there', async () => {
    await world.create(LEVELS, level('there'));
    await world.create(SCHEMAS, schema('good', 'there'));
    await world.create(SCHEMAS, schema('bad', 'missing'));
    world.start(danglingFlowSchemas);
    assert.equal(dangling(await says('good', 'False'))?.['reason'], 'Found');
    assert.equal(dangling(await says('bad', 'True'))?.['reason'], 'NotFound');
  });

  it('says so anew when levels come and go, and when a schema names another', async () => {
    world.start(danglingFlowSchemas);
    await world.create(SCHEMAS, schema('s', 'a'));
    await says('s', 'True');
    await world.create(LEVELS, level('a'));
    await says('s', 'False');
    await world.cluster.expect(200, `DELETE ${LEVELS}/a`);
    await says('s', 'True');
    await world.create(LEVELS, level('b'));
    await world.merge(`${SCHEMAS}/s`, { spec: { priorityLevelConfiguration: { name: 'b' } } });
    await says('s', 'False');
  });

  it('owns the condition, and writes nothing that is so already', async () => {
    await world.create(SCHEMAS, schema('s', 'a'));
    world.start(danglingFlowSchemas);
    const told = await says('s', 'True');
    assert.deepEqual(
      told?.metadata.managedFields?.map(({ manager, subresource }) => [manager, subresource]),
      [
        ['api-priority-and-fairness-config-consumer-v1', 'status'],
        ['test', undefined],
      ],
    );
    await world.settle();
    const later = await world.read(`${SCHEMAS}/s`);
    assert.equal(later?.metadata.resourceVersion, told?.metadata.resourceVersion);
  });

  it('keeps the objects that every server has, and only them', async () => {
    let ensured = 0;
    const ensure = (): Promise<void> => Promise.resolve(void ensured++);
    const names = { FlowSchema: new Set(['own']), PriorityLevelConfiguration: new Set(['own']) };
    await world.create(SCHEMAS, schema('own', 'own'));
    await world.create(LEVELS, level('own'));
    world.start(flowControlUpkeep({ names, ensure }));
    await world.settle();
    assert.equal(ensured, 0);
    await world.create(SCHEMAS, schema('other', 'own'));
    await world.cluster.expect(200, `DELETE ${SCHEMAS}/other`);
    await world.settle();
    assert.equal(ensured, 0);
    await world.merge(`${SCHEMAS}/own`, { spec: { matchingPrecedence: 5 } });
    await world.settle();
    assert.equal(ensured, 1);
    await world.cluster.expect(200, `DELETE ${LEVELS}/own`);
    await world.settle();
    assert.equal(ensured, 2);
  });
});
