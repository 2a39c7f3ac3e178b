import { forbiddenError } from '../../errors/status-errors.ts';
import { readCertificateRequest } from '../../lib/x509/certificate-request.ts';
import { isOnlyCollected } from '../../meta/collection-only.ts';
import { objectAt, textAt } from '../../meta/fields.ts';
import type { ApiObject } from '../../meta/object.ts';
import { sameJson } from '../../meta/same-json.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import type { RequireSigner } from './signer-access.ts';

const REQUESTS = 'certificatesigningrequests';
const BUNDLES = 'clustertrustbundles';

/** Only who may `approve` for a request's signer decides it. @param group of certificates' kinds */
export function certificateApproval(group: string, requireSigner: RequireSigner): AdmissionPlugin {
  return {
    name: 'CertificateApproval',
    operations: ['UPDATE'],
    async validate(request) {
      if (!isAbout(request, group, REQUESTS) || request.subresource !== 'approval') return;
      await requireSigner(request, 'approve', signerOf(request.oldObject));
    },
  };
}

/** Only who may `sign` for a request's signer sets its certificate and conditions. */
export function certificateSigning(group: string, requireSigner: RequireSigner): AdmissionPlugin {
  return {
    name: 'CertificateSigning',
    operations: ['UPDATE'],
    async validate(request) {
      if (!isAbout(request, group, REQUESTS) || request.subresource !== 'status') return;
      const status = objectAt(request.object, 'status');
      const old = objectAt(request.oldObject, 'status');
      const same =
        sameJson(status?.certificate, old?.certificate) &&
        sameJson(status?.conditions ?? [], old?.conditions ?? []);
      if (!same) await requireSigner(request, 'sign', signerOf(request.oldObject));
    },
  };
}

/** Nobody becomes a master by a certificate. @param signer of clients of the server */
export function certificateSubjectRestriction(group: string, signer: string): AdmissionPlugin {
  return {
    name: 'CertificateSubjectRestriction',
    operations: ['CREATE'],
    validate(request) {
      const isForClients = signerOf(request.object) === signer;
      if (isForClients && isAbout(request, group, REQUESTS) && request.subresource === '') {
        refuseMasters(request, signer);
      }
      return Promise.resolve();
    },
  };
}

function refuseMasters({ resource, name, object }: AdmissionRequest, signer: string): void {
  const pem = Buffer.from(textAt(objectAt(object, 'spec'), 'request'), 'base64');
  if (!readCertificateRequest(pem).organizations.includes('system:masters')) return;
  throw forbiddenError(resource, name, `the signer ${signer} does not sign for the group system:masters`);
}

/** Only who may `attest` for a signer says whom to trust for it. */
export function clusterTrustBundleAttest(group: string, requireSigner: RequireSigner): AdmissionPlugin {
  return {
    name: 'ClusterTrustBundleAttest',
    operations: ['CREATE', 'UPDATE'],
    async validate(request) {
      const { object, oldObject } = request;
      const signer = signerOf(object);
      if (object === undefined || signer === '' || !isAbout(request, group, BUNDLES)) return;
      if (!isOnlyCollected(object, oldObject)) await requireSigner(request, 'attest', signer);
    },
  };
}

function isAbout({ resource }: AdmissionRequest, group: string, name: string): boolean {
  return resource.group === group && resource.resource === name;
}

function signerOf(object: ApiObject | undefined): string {
  return textAt(objectAt(object, 'spec'), 'signerName');
}
