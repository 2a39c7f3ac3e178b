import assert from 'node:assert/strict';
import { certificateCleaning } from '../../../src/controllers/certificates/cleaning.ts';
import { certificateSigning, type SigningOrder } from '../../../src/controllers/certificates/signing.ts';
import type { Controller, RunningController } from '../../../src/controllers/controller.ts';
import type { JsonObject } from '../../../src/meta/object.ts';
import type { Entry } from '../../../src/telemetry/log/log.ts';
import { makeRequest } from '../../support/certificate-requests.ts';
import { selfSigned } from '../../support/certificates.ts';
import { Cluster, NOW } from '../verbs/cluster.ts';
import { controllerParts } from './controller-parts.ts';

const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('requests for certificates', () => {
  let cluster: Cluster;
  let running: RunningController | undefined;
  let errors: string[];
  let notes: Pick<Entry, 'message' | 'fields'>[];
  beforeEach(async () => {
    cluster = await Cluster.open();
    errors = [];
    notes = [];
  });
  afterEach(() => {
    running?.close();
    cluster.close();
  });

  const run = (controller: Controller): void => {
    running = controller.start(
      controllerParts(cluster, controller.name, ({ severity, message, fields }) => {
        if (severity === 'error') errors.push(`${message}: ${String((fields['err'] as Error).message)}`);
        else notes.push({ message, fields });
      }),
    );
  };
  /** Lets time pass, and the controller do what there is to do. */
  const pass = async (ms = 0): Promise<void> => {
    cluster.clock.advance(ms);
    for (let i = 0; i < 50; i++) {
      cluster.clock.advance(0);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const ask = async (name: string, fields: JsonObject = {}): Promise<void> => {
    const request = Buffer.from((await makeRequest({ commonName: 'x' })).pem).toString('base64');
    const spec = { request, signerName: 'example.com/x', usages: ['client auth'], ...fields };
    await cluster.expect(201, `POST ${REQUESTS}`, { body: { metadata: { name }, spec } });
  };
  const patch = async (path: string, status: JsonObject): Promise<void> => {
    const contentType = 'application/merge-patch+json';
    await cluster.expect(200, `PATCH ${REQUESTS}/${path}`, { contentType, body: { status } });
  };
  const decide = (name: string, ...types: string[]): Promise<void> =>
    patch(`${name}/approval`, { conditions: types.map((type) => ({ type, status: 'True' })) });
  const statusOf = async (name: string): Promise<JsonObject> =>
    (await cluster.expect(200, `GET ${REQUESTS}/${name}`)).object.status as JsonObject;
  const left = async (): Promise<string[]> =>
    (await cluster.expect(200, `GET ${REQUESTS}`)).items.map(({ metadata }) => metadata.name ?? '');

  describe('that are signed', () => {
    let orders: SigningOrder[];
    let failing: number;
    let certificate: string;
    beforeEach(async () => {
      orders = [];
      failing = 0;
      certificate = (await selfSigned()).cert;
      const sign = (order: SigningOrder): Promise<string> => {
        orders.push(order);
        return failing-- > 0 ? Promise.reject(new Error('no luck')) : Promise.resolve(certificate);
      };
      const rule = (_: unknown, usages: readonly string[]): string | undefined =>
        usages.includes('any') ? 'not everything' : undefined;
      run(
        certificateSigning(new Map([['example.com/x', { rule, sign }]]), ['example.com/x', 'example.com/y']),
      );
    });

    it('are told of once where there is nobody who signs them', () => {
      assert.deepEqual(
        notes.map(({ message, fields }) => [/--cluster-signing-cert-file/.test(message), fields['signers']]),
        [[true, ['example.com/y']]],
      );
    });

    it('are those that were approved, once, for signers that are there', async () => {
      await ask('pending');
      await ask('denied');
      await decide('denied', 'Denied');
      await ask('other', { signerName: 'example.com/y' });
      await decide('other', 'Approved');
      await ask('approved', { expirationSeconds: 3600 });
      await pass();
      assert.equal(orders.length, 0);
      await decide('approved', 'Approved');
      await pass();
      assert.equal((await statusOf('approved'))['certificate'], btoa(certificate));
      for (const name of ['pending', 'denied', 'other']) {
        assert.equal((await statusOf(name))['certificate'], undefined);
      }
      assert.deepEqual(
        orders.map(({ request, usages, seconds }) => [request.commonName, usages, seconds]),
        [['x', ['client auth'], 3600]],
      );
      assert.deepEqual(errors, []);
    });

    it('say why not, where the signer refuses them, for good', async () => {
      await ask('any', { usages: ['any'] });
      await decide('any', 'Approved');
      await pass();
      const { conditions } = (await statusOf('any')) as { conditions: JsonObject[] };
      const [, failed] = conditions;
      assert.deepEqual(
        [failed?.['type'], failed?.['status'], failed?.['reason'], failed?.['message']],
        ['Failed', 'True', 'SignerValidationFailure', 'not everything'],
      );
      await pass(HOUR);
      assert.equal(orders.length, 0);
      assert.equal(((await statusOf('any'))['conditions'] as JsonObject[]).length, 2);
    });

    it('are tried again where the authority failed', async () => {
      failing = 2;
      await ask('a');
      await decide('a', 'Approved');
      await pass();
      for (let i = 0; i < 20 && orders.length < 3; i++) await pass(100);
      assert.equal((await statusOf('a'))['certificate'], btoa(certificate));
      assert.equal(errors.length, 2);
    });
  });

  describe('that are kept', () => {
    beforeEach(() => run(certificateCleaning));

    it('go an hour after they were answered, a day after nobody answered', async () => {
      const certificate = btoa((await selfSigned(NOW + 10 * 24 * HOUR)).cert);
      for (const name of ['pending', 'approved', 'denied', 'failed', 'issued']) await ask(name);
      await pass(HOUR);
      await decide('approved', 'Approved');
      await decide('denied', 'Denied');
      await decide('issued', 'Approved');
      await patch('issued/status', { certificate });
      await patch('failed/status', { conditions: [{ type: 'Failed', status: 'True' }] });
      await pass(HOUR - MINUTE);
      assert.equal((await left()).length, 5);
      await pass(MINUTE);
      assert.deepEqual(await left(), ['approved', 'pending']);
      await pass(22 * HOUR - MINUTE);
      assert.deepEqual(await left(), ['approved', 'pending']);
      await pass(MINUTE);
      assert.deepEqual(await left(), ['approved']);
      assert.deepEqual(errors, []);
    });

    it('go with their certificate', async () => {
      await ask('a');
      await decide('a', 'Approved');
      await patch('a/status', { certificate: btoa((await selfSigned(NOW + 10 * MINUTE)).cert) });
      await pass(9 * MINUTE);
      assert.deepEqual(await left(), ['a']);
      await pass(MINUTE);
      assert.deepEqual(await left(), []);
    });
  });
});
