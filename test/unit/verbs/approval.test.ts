import assert from 'node:assert/strict';
import { Cluster } from './cluster.ts';

const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const NOW = '2026-11-20T18:57:21Z';
const APPROVED = { type: 'Approved', status: 'True', reason: 'Known' };
const DENIED = { type: 'Denied', status: 'True' };
const FAILED = { type: 'Failed', status: 'True' };

describe('the approval of a CertificateSigningRequest', () => {
  let cluster: Cluster;
  beforeEach(async () => {
    cluster = await Cluster.open();
    const spec = { request: 'eA==', signerName: 'example.com/x', usages: ['client auth'] };
    await cluster.expect(201, `POST ${REQUESTS}`, { body: { metadata: { name: 'r' }, spec } });
  });
  afterEach(() => cluster.close());

  const patch = async (status: number, part: string, body: object) => {
    const contentType = 'application/merge-patch+json';
    const { object } = await cluster.expect(status, `PATCH ${REQUESTS}/r${part}`, { contentType, body });
    return JSON.parse(JSON.stringify(object)) as Record<string, never> & {
      spec: { signerName: string };
      status: { conditions?: object[]; certificate?: string };
      details: { causes: { field: string }[] };
    };
  };
  const decide = (status: number, ...conditions: object[]) =>
    patch(status, '/approval', { status: { conditions } });

  it('is set with its times, by the approval subresource alone', async () => {
    await patch(200, '', { status: { conditions: [APPROVED] } });
    const untouched = await patch(200, '/status', { status: { conditions: [APPROVED] } });
    assert.equal(untouched.status.conditions, undefined);
    const { status } = await decide(200, APPROVED);
    assert.deepEqual(status, {
      conditions: [{ ...APPROVED, lastUpdateTime: NOW, lastTransitionTime: NOW }],
    });
  });

  it('changes neither the spec nor the certificate', async () => {
    await patch(200, '/status', { status: { certificate: 'eA==' } });
    const { spec, status } = await patch(200, '/approval', {
      spec: { signerName: 'example.com/other' },
      status: { certificate: 'eQ==', conditions: [APPROVED] },
    });
    assert.equal(spec.signerName, 'example.com/x');
    assert.equal(status.certificate, 'eA==');
  });

  it('keeps its time when the status is updated later', async () => {
    await decide(200, APPROVED);
    cluster.clock.advance(60_000);
    const { status } = await patch(200, '/status', { status: { conditions: [FAILED] } });
    assert.deepEqual(
      status.conditions?.map((condition) => Object.values(condition).includes(NOW)),
      [true, false],
    );
  });

  it('can not be taken back', async () => {
    await decide(200, APPROVED);
    const { details } = await decide(422);
    assert.deepEqual(
      details.causes.map(({ field }) => field),
      ['status.conditions'],
    );
  });

  for (const [name, conditions, fields] of [
    ['both decisions', [APPROVED, DENIED], ['status.conditions[1].type']],
    ['a decision that is not true', [{ ...DENIED, status: 'False' }], ['status.conditions[0].status']],
  ] as const) {
    it(`refuses ${name}`, async () => {
      const { details } = await decide(422, ...conditions);
      assert.deepEqual(
        details.causes.map(({ field }) => field),
        fields,
      );
    });
  }

  it('is read at its own path', async () => {
    const { object } = await cluster.expect(200, `GET ${REQUESTS}/r/approval`);
    assert.equal(object.kind, 'CertificateSigningRequest');
  });
});
