import assert from 'node:assert/strict';
import { runLine, type Answers, type LineResult } from '../../support/run-line.ts';

const PATH = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const PUT = `PUT ${PATH}/a/approval?fieldManager=orchctl-certificate`;

/** A server that has nothing but requests for certificates. */
const DISCOVERY: Answers = {
  '/apis': {
    items: [
      {
        metadata: { name: 'certificates.k8s.io' },
        versions: [
          {
            version: 'v1',
            resources: [
              {
                resource: 'certificatesigningrequests',
                responseKind: { kind: 'CertificateSigningRequest' },
                scope: 'Cluster',
                singularResource: 'certificatesigningrequest',
                shortNames: ['csr'],
                verbs: ['get', 'list', 'update'],
                subresources: [{ subresource: 'approval' }],
              },
            ],
          },
        ],
      },
    ],
  },
};

const run = (line: string, answers: Answers): Promise<LineResult> =>
  runLine(line.split(' '), { answers: { ...DISCOVERY, ...answers } });
const request = (...types: string[]): object => ({
  apiVersion: 'certificates.k8s.io/v1',
  kind: 'CertificateSigningRequest',
  metadata: { name: 'a', resourceVersion: '7' },
  spec: {},
  status: types.length === 0 ? {} : { conditions: types.map((type) => ({ type, status: 'True' })) },
});

/** The types of the conditions that were sent, and the version that they were for. */
function sent({ requests }: LineResult): (readonly [version: string, ...types: string[]])[] {
  return requests
    .filter(({ method }) => method === 'PUT')
    .map(({ body }) => {
      const { metadata, status } = JSON.parse(String(body)) as {
        metadata: { resourceVersion: string };
        status: { conditions: { type: string }[] };
      };
      return [metadata.resourceVersion, ...status.conditions.map(({ type }) => type)];
    });
}

describe('orchctl certificate', () => {
  it('approves and denies, beside what others say', async () => {
    const approved = await run('certificate approve a', {
      [`GET ${PATH}/a`]: request('Other'),
      [PUT]: request('Other', 'Approved'),
    });
    assert.equal(approved.stderr, '');
    assert.equal(approved.stdout, 'certificatesigningrequest.certificates.k8s.io/a approved\n');
    assert.deepEqual(sent(approved), [['7', 'Other', 'Approved']]);
    const denied = await run('certificate deny csr/a', {
      [`GET ${PATH}/a`]: request(),
      [PUT]: request('Denied'),
    });
    assert.equal(denied.stdout, 'certificatesigningrequest.certificates.k8s.io/a denied\n');
    assert.deepEqual(sent(denied), [['7', 'Denied']]);
  });

  it('writes nothing that is so already, unless it must', async () => {
    const answers = { [`GET ${PATH}/a`]: request('Approved'), [PUT]: request('Approved') };
    const kept = await run('certificate approve a', answers);
    assert.equal(kept.stdout, 'certificatesigningrequest.certificates.k8s.io/a approved\n');
    assert.deepEqual(sent(kept), []);
    assert.deepEqual(sent(await run('certificate approve a --force', answers)), [['7', 'Approved']]);
  });

  it('takes no decision back, and goes on with the others', async () => {
    const { stdout, stderr, code } = await run('certificate deny a b', {
      [`GET ${PATH}/a`]: request('Approved'),
      [`GET ${PATH}/b`]: request('Denied'),
    });
    assert.equal(stdout, 'certificatesigningrequest.certificates.k8s.io/a denied\n');
    assert.equal(stderr, 'error: certificate signing request "a" is already Approved\n');
    assert.equal(code, 1);
  });

  it('wants a name', async () => {
    const { stderr, code } = await run('certificate approve', {});
    assert.match(stderr, /name the requests/);
    assert.equal(code, 1);
  });
});
