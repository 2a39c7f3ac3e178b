import assert from 'node:assert/strict';
import { Client, type ResourceClient } from 'orch/client';
import { startControlPlane, type TestControlPlane } from 'orch/testing';
import { Mirror, OF, TO, type ConfigMap } from './mirror.ts';

/** How the control plane knows the controller's requests from those of the tests. */
const userAgent = 'mirror';

describe('mirror', () => {
  let base: TestControlPlane;
  let plane: TestControlPlane;
  let configMaps: ResourceClient<ConfigMap>;
  let controller: Client;
  let errors: unknown[];
  let running: Promise<void>;
  let stop: AbortController;

  // What all tests begin with is made once; every test has a control plane of its own that begins with it.
  before(async () => {
    base = await startControlPlane();
    const namespaces = base.client.resource('v1', 'Namespace');
    for (const name of ['one', 'two']) await namespaces.create({ metadata: { name } });
  });
  after(() => base.stop());

  beforeEach(async () => {
    plane = await base.fork();
    configMaps = plane.client.resource<ConfigMap>('v1', 'ConfigMap');
    controller = await Client.fromKubeconfig({ path: plane.kubeconfigFile, userAgent });
    errors = [];
    stop = new AbortController();
    const mirror = new Mirror(controller, (error) => errors.push(error));
    running = mirror.run(stop.signal);
  });
  afterEach(async () => {
    stop.abort();
    await running;
    await controller.close();
    await plane.stop();
  });

  function original(to: string, text = '1'): ConfigMap {
    return { metadata: { name: 'a', namespace: 'default', annotations: { [TO]: to } }, data: { text } };
  }

  /** Resolves when the copies are these: the text of each by its namespace. */
  async function copiesAre(expected: Record<string, string>): Promise<void> {
    const copies = new Map<string, string | undefined>();
    const seen = (): string => JSON.stringify([...copies].sort());
    const wanted = JSON.stringify(Object.entries(expected).sort());
    const { items, metadata } = await configMaps.list({ labelSelector: OF });
    for (const item of items) copies.set(item.metadata.namespace ?? '', item.data?.['text']);
    if (seen() === wanted) return;
    const { resourceVersion } = metadata;
    for await (const { type, object } of configMaps.watch({ labelSelector: OF, resourceVersion })) {
      if (type === 'DELETED') copies.delete(object.metadata.namespace ?? '');
      else copies.set(object.metadata.namespace ?? '', object.data?.['text']);
      if (seen() === wanted) return;
    }
    assert.fail(`the watch ended with ${seen()}`);
  }

  it('copies to the namespaces that the annotation names, and nowhere else', async () => {
    await configMaps.create(original('one, two'));
    await copiesAre({ one: '1', two: '1' });
    assert.deepEqual(errors, []);
  });

  it('follows changes: of the data, of the annotation, of copies, and the end of the original', async () => {
    await configMaps.create(original('one'));
    await copiesAre({ one: '1' });
    await configMaps.namespace('default').modify('a', (object) => void (object.data = { text: '2' }));
    await copiesAre({ one: '2' });
    await configMaps.namespace('default').modify('a', (object) => {
      object.metadata.annotations = { [TO]: 'two' };
    });
    await copiesAre({ two: '2' });
    await configMaps.namespace('two').modify('a', (object) => void (object.data = { text: 'spoilt' }));
    await copiesAre({ two: '2' });
    await configMaps.namespace('default').delete('a');
    await copiesAre({});
  });

  it('tries again when it is told to come back later', async () => {
    const when = { userAgent, verb: 'patch' };
    const fault = plane.faults.inject({ when, error: 'TooManyRequests', retryAfterSeconds: 0, times: 3 });
    await configMaps.create(original('one'));
    await copiesAre({ one: '1' });
    assert.equal(fault.hits, 3);
  });

  it('misses nothing that happens while its watch is cut, or has come too late', async () => {
    await configMaps.create(original('one'));
    await copiesAre({ one: '1' });
    plane.faults.inject({ when: { userAgent, verb: 'watch' }, error: 'Expired', times: 2 });
    plane.faults.cutWatches({ userAgent });
    await configMaps.namespace('default').delete('a');
    await copiesAre({});
  });

  it('mends what it finds when the world is put back', async () => {
    const empty = await plane.snapshot();
    await configMaps.create(original('one'));
    await copiesAre({ one: '1' });
    await plane.restore(empty);
    await configMaps.create(original('two'));
    await copiesAre({ two: '1' });
  });

  it('waits for nobody: a slow control plane makes it slow, not wrong', async () => {
    plane.faults.inject({ when: { userAgent }, latencyMs: 20 });
    await configMaps.create(original('one, two'));
    await copiesAre({ one: '1', two: '1' });
  });
});
