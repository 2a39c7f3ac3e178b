import { readCertificateRequest, type CertificateRequest } from '../../lib/x509/certificate-request.ts';
import { isObject, objectAt, textAt } from '../../meta/fields.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import { rowOf, type Controller, type ControllerParts } from '../controller.ts';
import { eachRequest, hasCertificate, hasCondition, requestsRow, withCondition } from './each-request.ts';
import { nodeClientRule } from './signer-rules.ts';

/** Approves the requests of nodes for certificates as clients, where their users may have them so. */
export const certificateApproving: Controller = {
  name: 'certificatesigningrequest-approving-controller',
  start: (parts) =>
    eachRequest(parts, {
      handle: (request) => approve(parts, request),
      expects: (error) => error instanceof NotAllowed,
    }),
};

/** Nobody said that this user's requests are approved by themselves. That may come. */
class NotAllowed extends Error {}

async function approve(parts: ControllerParts, object: ApiObject): Promise<void> {
  if (hasCertificate(object) || hasCondition(object, 'Approved') || hasCondition(object, 'Denied')) return;
  const spec = objectAt(object, 'spec');
  const permissions = spec === undefined ? [] : permissionsFor(parts, spec);
  if (spec === undefined || permissions.length === 0) return;
  for (const permission of permissions) {
    if (!(await mayHave(parts, spec, permission))) continue;
    const message = `Approved by itself: the user may create ${permission} requests.`;
    const approved = withCondition(object, { type: 'Approved', reason: 'AutoApproved', message });
    await parts.server.update(requestsRow(parts), approved, { subresource: 'approval' });
    return;
  }
  throw new NotAllowed(`the user may create neither of ${permissions.join(', ')}`);
}

/** What a user must be allowed, one of it, so that a request is approved; nothing for requests that never are. */
function permissionsFor({ names }: ControllerParts, spec: JsonObject): string[] {
  if (textAt(spec, 'signerName') !== names.get('signer.kube-apiserver-client-kubelet')) return [];
  const usages = Array.isArray(spec.usages) ? spec.usages.filter((usage) => typeof usage === 'string') : [];
  let request: CertificateRequest;
  try {
    request = readCertificateRequest(Buffer.from(textAt(spec, 'request'), 'base64'));
  } catch {
    return [];
  }
  if (nodeClientRule(request, usages) !== undefined) return [];
  const isSelf = request.commonName === textAt(spec, 'username');
  return isSelf ? ['selfnodeclient', 'nodeclient'] : ['nodeclient'];
}

/** Asks about the user who made the request, by a review as anybody else would. */
async function mayHave(parts: ControllerParts, spec: JsonObject, subresource: string): Promise<boolean> {
  const { schemas, names, server } = parts;
  const group = names.get('group.authorization');
  const { username: user = '', uid = '', groups = [], extra = {} } = spec;
  const result = await server.create(rowOf(schemas, [group, 'v1', 'subjectaccessreviews']), {
    apiVersion: `${group}/v1`,
    kind: 'SubjectAccessReview',
    metadata: {},
    spec: {
      ...{ user, uid, groups, extra },
      resourceAttributes: {
        ...{ group: names.get('group.certificates'), version: '*', verb: 'create' },
        ...{ resource: 'certificatesigningrequests', subresource },
      },
    },
  });
  const status = result.kind === 'object' ? result.object.status : undefined;
  return isObject(status) && status.allowed === true;
}
