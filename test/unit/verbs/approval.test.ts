import assert from 'node:assert/strict';
import { makeRequest } from '../../support/certificate-requests.ts';
import { selfSigned } from '../../support/certificates.ts';
import { Cluster } from './cluster.ts';

const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const NOW = '2026-11-20T18:57:21Z';
const APPROVED = { type: 'Approved', status: 'True', reason: 'Known' };
const DENIED = { type: 'Denied', status: 'True' };
const FAILED = { type: 'Failed', status: 'True' };

describe('the approval of a CertificateSigningRequest', () => {
  let cluster: Cluster;
  let certificate: string;
  beforeEach(async () => {
    cluster = await Cluster.open();
    certificate = Buffer.from((await selfSigned()).cert).toString('base64');
    const request = Buffer.from((await makeRequest({ commonName: 'x' })).pem).toString('base64');
    const spec = { request, signerName: 'example.com/x', usages: ['client auth'] };
    await cluster.expect(201, `POST ${REQUESTS}`, { body: { metadata: { name: 'r' }, spec } });
  });
  afterEach(() => cluster.close());

  const patch = async (status: number, part: string, body: object) => {
    const contentType = 'application/merge-patch+json';
    const { object } = await cluster.expect(status, `PATCH ${REQUESTS}/r${part}`, { contentType, body });
    return JSON.parse(JSON.stringify(object)) as Record<string, never> & {
      spec: { signerName: string };
      status: { conditions?: object[]; certificate?: string };
      details: { causes: { field: string; reason: string }[] };
    };
  };
  const decide = (status: number, ...conditions: object[]) =>
    patch(status, '/approval', { status: { conditions } });

  const causes = ({ details }: Awaited<ReturnType<typeof patch>>) =>
    details.causes.map(({ field, reason }) => [field, reason]);

  it('is set with its times, by the approval subresource alone', async () => {
    const untouched = await patch(200, '', { status: { conditions: [APPROVED] } });
    assert.deepEqual(untouched.status, {});
    const refused = await patch(422, '/status', { status: { conditions: [APPROVED] } });
    assert.deepEqual(causes(refused), [['status.conditions', 'FieldValueForbidden']]);
    const { status } = await decide(200, APPROVED);
    assert.deepEqual(status, {
      conditions: [{ ...APPROVED, lastUpdateTime: NOW, lastTransitionTime: NOW }],
    });
  });

  it('changes neither the spec nor the certificate', async () => {
    await patch(200, '/status', { status: { certificate } });
    const { spec, status } = await patch(200, '/approval', {
      spec: { signerName: 'example.com/other' },
      status: { certificate: 'eQ==', conditions: [APPROVED] },
    });
    assert.equal(spec.signerName, 'example.com/x');
    assert.equal(status.certificate, certificate);
  });

  it('keeps its time, and what it says, when the status is updated later', async () => {
    await decide(200, APPROVED);
    cluster.clock.advance(60_000);
    const conditions = [{ ...APPROVED, reason: 'Other' }, FAILED];
    const { status } = await patch(200, '/status', { status: { conditions } });
    assert.deepEqual(
      status.conditions?.map((condition) => Object.values(condition).includes(NOW)),
      [true, false],
    );
    assert.deepEqual(status.conditions?.[0], {
      ...APPROVED,
      lastUpdateTime: NOW,
      lastTransitionTime: NOW,
    });
  });

  it('is not taken away by an update of the status', async () => {
    await decide(200, APPROVED);
    const refused = await patch(422, '/status', { status: { conditions: [FAILED] } });
    assert.deepEqual(causes(refused), [['status.conditions', 'FieldValueForbidden']]);
  });

  it('comes with one certificate, which stays', async () => {
    await patch(200, '/status', { status: { certificate } });
    const refused = await patch(422, '/status', { status: { certificate: 'eA==' } });
    assert.deepEqual(causes(refused), [['status.certificate', 'FieldValueForbidden']]);
  });

  it('comes with nothing that is no certificate', async () => {
    const key = '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n';
    const header = '-----BEGIN CERTIFICATE-----\nA: b\n\nAAAA\n-----END CERTIFICATE-----\n';
    const garbage = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
    for (const text of ['x', key, header, garbage, '-----BEGIN CERTIFICATE-----\n'.repeat(30_000)]) {
      const refused = await patch(422, '/status', { status: { certificate: btoa(text) } });
      assert.deepEqual(causes(refused), [['status.certificate', 'FieldValueInvalid']]);
    }
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
    ['a condition without a type', [{ status: 'True' }], ['status.conditions[0].type']],
    ['a condition without a status', [{ type: 'X' }], ['status.conditions[0].status']],
    ['a condition that is neither', [{ type: 'X', status: 'Maybe' }], ['status.conditions[0].status']],
    ['a condition twice', [FAILED, FAILED], ['status.conditions[1].type']],
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
