import assert from 'node:assert/strict';
import type { ApiObject, JsonObject } from '../../../src/meta/object.ts';
import { loadNames } from '../../../src/names/load.ts';
import { certificateSigningRequestHooks } from '../../../src/registry/certificatesigningrequest/hooks.ts';
import { makeRequest } from '../../support/certificate-requests.ts';

describe('what a CertificateSigningRequest asks', () => {
  let request: string;
  before(async () => {
    request = Buffer.from((await makeRequest({ commonName: 'x' })).pem).toString('base64');
  });

  function problems(changes: JsonObject): string[][] {
    const { validate } = certificateSigningRequestHooks(loadNames({ profile: 'kubernetes' }));
    const spec = { request, signerName: 'example.com/x', usages: ['client auth'], ...changes };
    const object: ApiObject = { apiVersion: 'v1', kind: 'CertificateSigningRequest', metadata: {}, spec };
    return (validate?.(object) ?? []).map(({ field, reason }) => [field, reason]);
  }

  it('is a request, a signer, usages and at least ten minutes', () => {
    assert.deepEqual(problems({}), []);
    assert.deepEqual(problems({ expirationSeconds: 600, usages: ['signing', 's/mime', 'any'] }), []);
    assert.deepEqual(problems({ signerName: 'kubernetes.io/kubelet-serving' }), []);
  });

  const refused: readonly (readonly [string, JsonObject, string[][]])[] = [
    ['no request', { request: 'AAAA' }, [['spec.request', 'FieldValueInvalid']]],
    [
      'the legacy signer',
      { signerName: 'kubernetes.io/legacy-unknown' },
      [['spec.signerName', 'FieldValueInvalid']],
    ],
    ['no signer', { signerName: '' }, [['spec.signerName', 'FieldValueRequired']]],
    ['a signer without a domain', { signerName: 'signer' }, [['spec.signerName', 'FieldValueInvalid']]],
    ['a signer in a folder', { signerName: 'a.b/c/d' }, [['spec.signerName', 'FieldValueInvalid']]],
    ['a signer of one label', { signerName: 'local/x' }, [['spec.signerName', 'FieldValueInvalid']]],
    ['a signer in capitals', { signerName: 'a.B/x' }, [['spec.signerName', 'FieldValueInvalid']]],
    ['a signer of everything', { signerName: 'a.b/*' }, [['spec.signerName', 'FieldValueInvalid']]],
    [
      'a signer that is too long',
      { signerName: `a.b/${'x.'.repeat(300)}x` },
      [['spec.signerName', 'FieldValueTooLong']],
    ],
    ['no usages', { usages: [] }, [['spec.usages', 'FieldValueRequired']]],
    ['an unknown usage', { usages: ['client auth', 'x'] }, [['spec.usages[1]', 'FieldValueNotSupported']]],
    ['a usage twice', { usages: ['any', 'any'] }, [['spec.usages[1]', 'FieldValueDuplicate']]],
    ['seconds', { expirationSeconds: 599 }, [['spec.expirationSeconds', 'FieldValueInvalid']]],
    ['a life in the past', { expirationSeconds: -1 }, [['spec.expirationSeconds', 'FieldValueInvalid']]],
  ];
  for (const [what, changes, expected] of refused) {
    it(`is not ${what}`, () => assert.deepEqual(problems(changes), expected));
  }
});
