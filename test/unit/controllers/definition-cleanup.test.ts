import assert from 'node:assert/strict';
import { definitionCleanup } from '../../../src/controllers/definition-cleanup/controller.ts';
import { ControllerWorld } from './running-controller.ts';

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const PATH = `${DEFINITIONS}/olds.example.com`;
const DEFINITION = {
  metadata: { name: 'olds.example.com' },
  spec: {
    group: 'example.com',
    names: { plural: 'olds', kind: 'Old' },
    scope: 'Namespaced',
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};

describe('the cleanup of CustomResourceDefinitions', () => {
  let world: ControllerWorld;
  beforeEach(async () => {
    world = await ControllerWorld.open();
    await world.create(DEFINITIONS, DEFINITION);
  });
  afterEach(() => world.close());
  const remove = () => world.cluster.expect(200, `DELETE ${PATH}`);

  it('lets one go that was never served', async () => {
    world.start(definitionCleanup);
    await remove();
    await world.goes(PATH);
  });

  it('lets one go that was deleted before it began', async () => {
    await remove();
    world.start(definitionCleanup);
    await world.goes(PATH);
  });

  it('leaves one whose objects another server has', async () => {
    const conditions = [{ type: 'Established', status: 'True' }];
    await world.cluster.expect(200, `PATCH ${PATH}/status`, {
      contentType: 'application/merge-patch+json',
      body: { status: { conditions } },
    });
    world.start(definitionCleanup);
    await remove();
    await world.settle();
    const left = await world.read(PATH);
    assert.deepEqual(left?.metadata.finalizers, ['customresourcecleanup.apiextensions.k8s.io']);
  });

  it('leaves finalizers of others', async () => {
    world.start(definitionCleanup);
    await world.merge(PATH, { metadata: { finalizers: ['example.com/f'] } });
    await remove();
    const left = await world.becomes(PATH, (one) => one?.metadata.finalizers?.length === 1);
    assert.deepEqual(left?.metadata.finalizers, ['example.com/f']);
    await world.merge(PATH, { metadata: { finalizers: null } });
    await world.goes(PATH);
  });
});
