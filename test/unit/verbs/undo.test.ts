import assert from 'node:assert/strict';
import type { AdmissionPlugin } from '../../../src/admission/admission.ts';
import { ApiError } from '../../../src/errors/api-error.ts';
import { Cluster } from './cluster.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

describe('what admission sets aside for an object', () => {
  let cluster: Cluster;
  let taken: number;
  let givenBack: number;
  /** Called while the next write is in admission. */
  let meanwhile: (() => Promise<unknown>) | undefined;
  let refuses: boolean;

  beforeEach(async () => {
    [taken, givenBack, refuses, meanwhile] = [0, 0, false, undefined];
    const takes: AdmissionPlugin = {
      name: 'takes',
      operations: ['CREATE', 'UPDATE'],
      concerns: ({ resource }) => resource === 'configmaps',
      async validate(request) {
        if (request.dryRun) return;
        taken++;
        request.onUndo?.(() => Promise.resolve(void givenBack++));
        const now = meanwhile;
        meanwhile = undefined;
        await now?.();
      },
    };
    const refusesLater: AdmissionPlugin = {
      name: 'refuses',
      operations: ['CREATE'],
      validate: () => (refuses ? Promise.reject(new ApiError('Forbidden', 'no')) : undefined),
    };
    cluster = await Cluster.open({ plugins: [takes, refusesLater] });
  });
  afterEach(() => cluster.close());

  const create = (status: number) =>
    cluster.expect(status, `POST ${CONFIG_MAPS}`, { body: { metadata: { name: 'a' } } });
  const change = (data: object) =>
    cluster.expect(200, `PATCH ${CONFIG_MAPS}/a`, {
      body: { data },
      contentType: 'application/merge-patch+json',
    });

  it('stays taken when the object is stored', async () => {
    await create(201);
    assert.deepEqual([taken, givenBack], [1, 0]);
  });

  it('is given back when its name is taken', async () => {
    await create(201);
    await create(409);
    assert.deepEqual([taken, givenBack], [2, 1]);
  });

  it('is given back when a later plugin refuses', async () => {
    refuses = true;
    await create(403);
    assert.deepEqual([taken, givenBack], [1, 1]);
  });

  it('is given back and taken anew when somebody else wrote in between', async () => {
    await create(201);
    [taken, givenBack] = [0, 0];
    meanwhile = () => change({ by: 'another' });
    await change({ mine: 'x' });
    assert.deepEqual([taken, givenBack], [3, 1]);
    const { object } = await cluster.expect(200, `GET ${CONFIG_MAPS}/a`);
    assert.deepEqual({ ...(object['data'] as object) }, { by: 'another', mine: 'x' });
  });
});
