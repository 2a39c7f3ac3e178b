import assert from 'node:assert/strict';
import {
  certificateApproval,
  certificateSigning,
  certificateSubjectRestriction,
  clusterTrustBundleAttest,
} from '../../../src/admission/certificates/plugins.ts';
import { requireSigner } from '../../../src/admission/certificates/signer-access.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../../../src/admission/admission.ts';
import type { JsonObject } from '../../../src/meta/object.ts';
import { makeRequest } from '../../support/certificate-requests.ts';
import { admissionRequest, object } from './requests.ts';

const GROUP = 'certificates.orch.io';
const CLIENTS = 'orch.io/kube-apiserver-client';

describe('who may use a signer', () => {
  /** What was asked for, as `verb name`. */
  let asked: string[];
  let allowed: string[];
  beforeEach(() => {
    asked = [];
    allowed = [];
  });
  const signers = requireSigner((_, { verb, group, resource, name }) => {
    assert.equal(`${group}/${resource}`, `${GROUP}/signers`);
    asked.push(`${verb} ${name}`);
    return Promise.resolve(allowed.includes(`${verb} ${name}`));
  }, GROUP);

  const csr = (fields: JsonObject = {}, signerName = 'a.b/c') =>
    object({ name: 'r' }, { spec: { signerName }, ...fields });
  const change = (subresource: string, before: JsonObject, after: JsonObject): AdmissionRequest =>
    admissionRequest('certificatesigningrequests', GROUP, {
      subresource,
      object: csr(after),
      oldObject: csr(before),
    });
  const refuses = (plugin: AdmissionPlugin, request: AdmissionRequest): Promise<void> =>
    assert.rejects(async () => plugin.validate?.(request), { reason: 'Forbidden' });

  it('approves for it, or for all of its domain', async () => {
    const plugin = certificateApproval(GROUP, signers);
    const request = change('approval', {}, { status: { conditions: [] } });
    await refuses(plugin, request);
    assert.deepEqual(asked, ['approve a.b/c', 'approve a.b/*']);
    for (const name of ['approve a.b/c', 'approve a.b/*']) {
      allowed = [name];
      await plugin.validate?.(request);
    }
    allowed = ['approve *', 'sign a.b/c'];
    await refuses(plugin, request);
  });

  it('approves for the signer that the request had', async () => {
    allowed = ['approve mine.b/c'];
    const request = admissionRequest('certificatesigningrequests', GROUP, {
      subresource: 'approval',
      object: csr({}, 'mine.b/c'),
      oldObject: csr(),
    });
    await refuses(certificateApproval(GROUP, signers), request);
  });

  it('signs, which setting conditions is too, and nothing else', async () => {
    const plugin = certificateSigning(GROUP, signers);
    await refuses(plugin, change('status', {}, { status: { certificate: 'eA==' } }));
    await refuses(plugin, change('status', {}, { status: { conditions: [{ type: 'Failed' }] } }));
    asked = [];
    await plugin.validate?.(change('status', { status: {} }, { status: { conditions: [] } }));
    await plugin.validate?.(change('', {}, { status: { certificate: 'eA==' } }));
    await plugin.validate?.(change('approval', {}, {}));
    assert.deepEqual(asked, []);
    allowed = ['sign a.b/c'];
    await plugin.validate?.(change('status', {}, { status: { certificate: 'eA==' } }));
  });

  it('attests for it, unless the bundle has none, or is only collected', async () => {
    const plugin = clusterTrustBundleAttest(GROUP, signers);
    const bundle = (spec: JsonObject, finalizers: string[] = []) =>
      object({ name: 'b', finalizers }, { spec });
    const write = (after: ReturnType<typeof bundle>, before?: ReturnType<typeof bundle>) =>
      admissionRequest('clustertrustbundles', GROUP, { object: after, oldObject: before });
    const own = { signerName: 'a.b/c', trustBundle: 'x' };
    await refuses(plugin, write(bundle(own)));
    await refuses(plugin, write(bundle({ ...own, trustBundle: 'y' }), bundle(own)));
    asked = [];
    await plugin.validate?.(write(bundle({ trustBundle: 'x' })));
    await plugin.validate?.(write(bundle(own, ['a.b/f']), bundle(own)));
    assert.deepEqual(asked, []);
  });

  it('is not asked about other kinds', async () => {
    for (const plugin of [
      certificateApproval(GROUP, signers),
      certificateSigning(GROUP, signers),
      clusterTrustBundleAttest(GROUP, signers),
    ]) {
      for (const [resource, group] of [
        ['certificatesigningrequests', 'example.com'],
        ['others', GROUP],
      ] as const) {
        const fields = { subresource: 'approval', object: csr(), oldObject: csr({ status: {} }) };
        await plugin.validate?.(admissionRequest(resource, group, fields));
      }
    }
    assert.deepEqual(asked, []);
  });
});

describe('a certificate of a client', () => {
  const plugin = certificateSubjectRestriction(GROUP, CLIENTS);
  const ask = async (organizations: string[], signerName = CLIENTS): Promise<void> => {
    const { pem } = await makeRequest({ commonName: 'jane', organizations });
    const spec = { signerName, request: Buffer.from(pem).toString('base64') };
    const created = object({ name: 'r' }, { spec });
    await plugin.validate?.(admissionRequest('certificatesigningrequests', GROUP, { object: created }));
  };

  it('makes nobody a master', async () => {
    await assert.rejects(ask(['dev', 'system:masters']), { reason: 'Forbidden' });
    await ask(['dev', 'system:mastersx']);
    await ask(['system:masters'], 'example.com/other');
  });
});
