import { readCertificateRequest, type CertificateRequest } from '../../lib/x509/certificate-request.ts';
import { isObject, objectAt, textAt } from '../../meta/fields.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import type { Controller, ControllerParts } from '../controller.ts';
import { eachRequest, hasCertificate, hasCondition, requestsRow, withCondition } from './each-request.ts';
import type { SignerRule } from './signer-rules.ts';

/** What a signer is told to sign. */
export interface SigningOrder {
  readonly request: CertificateRequest;
  readonly usages: readonly string[];
  /** How long the certificate is wanted to be good, seconds; absent: as long as it may. */
  readonly seconds?: number;
}

/** One of the signers of the interface. */
export interface CertificateSigner {
  readonly rule: SignerRule;
  /** Makes the certificate. @returns PEM. @throws Error where the authority can't be used */
  readonly sign: (order: SigningOrder) => Promise<string>;
}

/**
 * Signs what was approved for one of its signers, and says why where it doesn't.
 *
 * @param signers by their names. @param expected the names of all that users may count on: those that sign nothing are
 *   told of once
 */
export function certificateSigning(
  signers: ReadonlyMap<string, CertificateSigner>,
  expected: readonly string[],
): Controller {
  return {
    name: 'certificatesigningrequest-signing-controller',
    start(parts) {
      const idle = expected.filter((name) => !signers.has(name));
      if (idle.length > 0) parts.log.info(NOT_SIGNED, { signers: idle });
      return eachRequest(parts, { handle: (request) => signApproved(parts, signers, request) });
    },
  };
}

const NOT_SIGNED =
  'certificates that are approved are not signed here for signers without an authority: ' +
  '--cluster-signing-cert-file and --cluster-signing-key-file name one for all, others one for each';

async function signApproved(
  parts: ControllerParts,
  signers: ReadonlyMap<string, CertificateSigner>,
  request: ApiObject,
): Promise<void> {
  const spec = objectAt(request, 'spec');
  const signer = signers.get(textAt(spec, 'signerName'));
  if (spec === undefined || signer === undefined || !isToBeSigned(request)) return;
  const answer = await answerTo(signer, request, spec);
  await parts.server.update(requestsRow(parts), answer, { subresource: 'status' });
}

function isToBeSigned(request: ApiObject): boolean {
  if (hasCertificate(request) || !hasCondition(request, 'Approved')) return false;
  return !hasCondition(request, 'Denied') && !hasCondition(request, 'Failed');
}

/** The request with its certificate, or with why there is none. @throws Error where another time may bring one */
async function answerTo(signer: CertificateSigner, object: ApiObject, spec: JsonObject): Promise<ApiObject> {
  const usages = Array.isArray(spec.usages) ? spec.usages.filter((usage) => typeof usage === 'string') : [];
  let request: CertificateRequest;
  try {
    request = readCertificateRequest(Buffer.from(textAt(spec, 'request'), 'base64'));
  } catch (error) {
    return failed(object, `spec.request ${(error as Error).message}`);
  }
  const refusal = signer.rule(request, usages);
  if (refusal !== undefined) return failed(object, refusal);
  const seconds = typeof spec.expirationSeconds === 'number' ? { seconds: spec.expirationSeconds } : {};
  const pem = await signer.sign({ request, usages, ...seconds });
  const status = isObject(object.status) ? object.status : {};
  return { ...object, status: { ...status, certificate: Buffer.from(pem).toString('base64') } };
}

function failed(request: ApiObject, message: string): ApiObject {
  return withCondition(request, { type: 'Failed', reason: 'SignerValidationFailure', message });
}
