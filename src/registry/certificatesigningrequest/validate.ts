import {
  duplicate,
  invalid,
  notSupported,
  required,
  tooLong,
  type FieldError,
} from '../../errors/field-error.ts';
import { readCertificateRequest } from '../../lib/x509/certificate-request.ts';
import { dnsLabelProblems, dnsSubdomainProblems } from '../../meta/names.ts';
import type { ApiObject, Json } from '../../meta/object.ts';
import { objectAt, textAt } from '../../meta/fields.ts';
import { USAGES } from './usages.ts';

const MIN_SECONDS = 600;

/**
 * Rules for what a CertificateSigningRequest asks.
 *
 * @param legacySigner a signer that signs what is there, and that nobody can ask any more.
 */
export function checkSpec(request: ApiObject, legacySigner: string): FieldError[] {
  const spec = objectAt(request, 'spec');
  const errors = [...checkRequest(textAt(spec, 'request')), ...checkUsages(spec?.usages)];
  const signer = textAt(spec, 'signerName');
  if (signer === legacySigner) {
    errors.push(invalid('spec.signerName', signer, 'new requests may not be for the legacy signer'));
  } else errors.push(...checkSignerName('spec.signerName', signer));
  const seconds = spec?.expirationSeconds;
  if (typeof seconds === 'number' && seconds < MIN_SECONDS) {
    errors.push(
      invalid('spec.expirationSeconds', seconds, `must be at least ${MIN_SECONDS} seconds (10 minutes)`),
    );
  }
  return errors;
}

function checkRequest(base64: string): FieldError[] {
  const pem = Buffer.from(base64, 'base64');
  try {
    readCertificateRequest(pem);
    return [];
  } catch (error) {
    return [invalid('spec.request', base64, (error as Error).message)];
  }
}

function checkUsages(usages: Json | undefined): FieldError[] {
  if (!Array.isArray(usages) || usages.length === 0) return [required('spec.usages')];
  const seen = new Set<Json>();
  return usages.flatMap((usage, i) => {
    const field = `spec.usages[${i}]`;
    const errors: FieldError[] = [];
    if (typeof usage !== 'string' || !USAGES.includes(usage)) errors.push(notSupported(field, usage, USAGES));
    if (seen.has(usage)) errors.push(duplicate(field, usage));
    seen.add(usage);
    return errors;
  });
}

const MAX_DOMAIN = 253;
/** A name of a signer has at most this many characters: a domain, a slash and a path of twice that. */
const MAX_SIGNER = 571;

/** A signer's name is a domain and a path of one segment, such as `example.com/signer`. */
export function checkSignerName(field: string, signer: string): FieldError[] {
  if (signer === '') return [required(field)];
  const [domain = '', path = '', ...more] = signer.split('/');
  if (!signer.includes('/') || more.length > 0) {
    return [invalid(field, signer, 'must be a domain and a name, such as example.com/signer')];
  }
  const errors: FieldError[] = [];
  const labels = domain.split('.');
  const badLabel = labels.find((label) => dnsLabelProblems(label).length > 0);
  if (domain.length > MAX_DOMAIN) errors.push(tooLong(field, MAX_DOMAIN));
  if (badLabel !== undefined) {
    errors.push(invalid(field, domain, `its label ${JSON.stringify(badLabel)} is no DNS label`));
  }
  if (labels.length < 2)
    errors.push(invalid(field, domain, 'must have at least two labels with a dot between'));
  const badPart = path.split('.').find((part) => dnsSubdomainProblems(part).length > 0);
  if (badPart !== undefined) {
    errors.push(invalid(field, path, `its part ${JSON.stringify(badPart)} is no DNS subdomain`));
  }
  if (signer.length > MAX_SIGNER) errors.push(tooLong(field, MAX_SIGNER));
  return errors;
}
