import { forbiddenError } from '../../errors/status-errors.ts';
import type { UserInfo } from '../../request/context.ts';
import { resourceInfo, type RequestInfo } from '../../request/request-info.ts';
import type { AdmissionRequest } from '../admission.ts';

/** Whether a user may do something besides what the request says. */
export type MayDo = (user: UserInfo, info: RequestInfo) => Promise<boolean>;

/** Lets pass who may use a signer. @throws ApiError 403 */
export type RequireSigner = (request: AdmissionRequest, verb: string, signer: string) => Promise<void>;

/** Asks for a verb on the signer, or on all signers of its domain. @param group of certificates' kinds */
export function requireSigner(mayDo: MayDo, group: string): RequireSigner {
  return async function requireSignerAccess({ user, resource, name }, verb, signer) {
    const [domain = ''] = signer.split('/');
    for (const asked of [signer, `${domain}/*`]) {
      if (await mayDo(user, signerInfo(group, verb, asked))) return;
    }
    throw forbiddenError(resource, name, `the user may not ${verb} for the signer ${JSON.stringify(signer)}`);
  };
}

function signerInfo(group: string, verb: string, name: string): RequestInfo {
  return resourceInfo({ verb, group, version: '*', resource: 'signers', name });
}
