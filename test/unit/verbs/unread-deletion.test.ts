import assert from 'node:assert/strict';
import type { AdmissionPlugin } from '../../../src/admission/admission.ts';
import { forbiddenError } from '../../../src/errors/status-errors.ts';
import { Cluster, type ClusterOptions } from './cluster.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const OPTION = 'ignoreStoreReadErrorWithClusterBreakingPotential';
const UNREAD = `?${OPTION}=true`;

describe('deletion of what can not be read', () => {
  let cluster: Cluster;
  let asked: string[];
  let allowed: boolean;

  async function open(options: Partial<ClusterOptions> = {}): Promise<void> {
    asked = [];
    allowed = true;
    cluster = await Cluster.open({
      removesUnread: true,
      requireAccess: (user, info) => {
        asked.push(`${user.name} ${info.verb} ${info.resource} ${info.namespace}/${info.name}`);
        const resource = { group: info.group, resource: info.resource };
        return allowed ? Promise.resolve() : Promise.reject(forbiddenError(resource, info.name, 'no'));
      },
      ...options,
    });
    await cluster.expect(201, `POST ${CONFIG_MAPS}`, { body: { metadata: { name: 'good' } } });
    await damage('bad');
  }
  afterEach(() => cluster.close());

  async function damage(name: string): Promise<void> {
    await cluster.storage.create(`/registry/configmaps/default/${name}`, Buffer.from('{"kind":"Conf'));
  }

  it('removes it, and lists are whole again', async () => {
    await open();
    const list = await cluster.expect(500, `GET ${CONFIG_MAPS}`);
    assert.equal(list.object.reason, 'StorageReadError');
    const { name, kind, causes } = list.object.details as Record<string, unknown>;
    assert.deepEqual([name, kind], ['list', 'configmaps']);
    assert.deepEqual(
      (causes as { field: string; reason: string }[]).map(({ field, reason }) => [field, reason]),
      [['/registry/configmaps/default/bad', 'UnexpectedServerResponse']],
    );
    await cluster.expect(500, `DELETE ${CONFIG_MAPS}/bad`);
    const { object } = await cluster.expect(200, `DELETE ${CONFIG_MAPS}/bad${UNREAD}`);
    assert.deepEqual(object, {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: { name: 'bad', kind: 'ConfigMap' },
    });
    assert.deepEqual(asked, ['admin unsafe-delete-ignore-read-errors configmaps default/bad']);
    assert.equal((await cluster.expect(200, `GET ${CONFIG_MAPS}`)).items.length, 1);
  });

  for (const name of ['good', 'missing']) {
    it(`is not for one that can be read or is not there: ${name}`, async () => {
      await open();
      const { object } = await cluster.expect(422, `DELETE ${CONFIG_MAPS}/${name}${UNREAD}`);
      const details = object.details as { kind: string; causes: { field: string }[] };
      assert.deepEqual([details.kind, details.causes[0]?.field], ['configmaps', OPTION]);
      await cluster.expect(200, `GET ${CONFIG_MAPS}/good`);
    });
  }

  it('is not for collections, nor together with other options', async () => {
    await open();
    await cluster.expect(422, `DELETE ${CONFIG_MAPS}${UNREAD}`);
    await cluster.expect(422, `DELETE ${CONFIG_MAPS}/bad${UNREAD}&dryRun=All`);
    await cluster.expect(500, `GET ${CONFIG_MAPS}/bad`);
  });

  it('needs a permission of its own', async () => {
    await open();
    allowed = false;
    await cluster.expect(403, `DELETE ${CONFIG_MAPS}/bad${UNREAD}`);
    await cluster.expect(500, `GET ${CONFIG_MAPS}/bad`);
  });

  it('is asked of admission too, which sees no object', async () => {
    const seen: unknown[] = [];
    const guard: AdmissionPlugin = {
      name: 'Guard',
      operations: ['DELETE'],
      validate(request) {
        seen.push([request.name, request.oldObject, request.options[OPTION]]);
        return Promise.reject(forbiddenError(request.resource, request.name, 'no'));
      },
    };
    await open({ plugins: [guard] });
    await cluster.expect(403, `DELETE ${CONFIG_MAPS}/bad${UNREAD}`);
    assert.deepEqual(seen, [['bad', undefined, true]]);
  });

  it('does not exist without its gate', async () => {
    await open({ removesUnread: false });
    await cluster.expect(500, `DELETE ${CONFIG_MAPS}/bad${UNREAD}`);
    await cluster.expect(200, `DELETE ${CONFIG_MAPS}/good${UNREAD}&dryRun=All`);
    await cluster.expect(200, `DELETE ${CONFIG_MAPS}/good${UNREAD}`);
  });
});
