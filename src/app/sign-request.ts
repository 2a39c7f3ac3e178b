import { X509Certificate } from 'node:crypto';
import type { SigningOrder } from '../controllers/certificates/signing.ts';
import type { CertificateRequest } from '../lib/x509/certificate-request.ts';
import { NAME_TYPE, type NameAttribute } from '../lib/x509/name.ts';
import { KEY_USAGES } from '../registry/certificatesigningrequest/usages.ts';
import type { CertificateUsages, FurtherName, Signer } from './x509.ts';

export interface SigningTime {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The longest life of a certificate. */
  readonly durationMs: number;
}

/** Clocks of those who see a certificate first may lag that much behind. */
const BACKDATED_MS = 300_000;
const SHORTEST_MS = 600_000;
/** A certificate that is good for less than this has its whole time after now. */
const SHORT_MS = 8 * 3_600_000;

/**
 * Signs a request: the certificate says what the request's subject and further names do, in parts that are understood, and
 * nothing else of it.
 *
 * @returns PEM. @throws Error where the authority's own certificate has ended
 */
export async function signRequest(
  { request, usages, seconds }: SigningOrder,
  authority: Required<Signer>,
  { now, durationMs }: SigningTime,
): Promise<string> {
  const end = Date.parse(new X509Certificate(authority.certificate).validTo);
  if (end <= now)
    throw new Error(`the certificate of the authority has ended at ${new Date(end).toISOString()}`);
  const asked = seconds === undefined ? durationMs : Math.max(seconds * 1000, SHORTEST_MS);
  const life = Math.min(asked, durationMs);
  const notAfter = now + life - (life < SHORT_MS ? 0 : BACKDATED_MS);
  const { signCertificate } = await import('./x509.ts');
  return signCertificate(
    {
      subject: subjectOf(request),
      publicKey: request.publicKey,
      notBefore: new Date(now - BACKDATED_MS),
      notAfter: new Date(Math.min(notAfter, end)),
      usages: usagesOf(usages),
      names: furtherNames(request),
    },
    authority,
  );
}

/** The parts of a subject that certificates have, in the order in which they have them. */
const SUBJECT_PARTS: readonly string[] = [
  NAME_TYPE.country,
  NAME_TYPE.organization,
  NAME_TYPE.organizationalUnit,
  NAME_TYPE.locality,
  NAME_TYPE.province,
  NAME_TYPE.street,
  NAME_TYPE.postalCode,
];

/** One common name and one serial number: whoever reads several takes now the first, now the last. */
function subjectOf({ subject }: CertificateRequest): NameAttribute[] {
  const last = (type: string): NameAttribute[] => subject.filter((part) => part.type === type).slice(-1);
  return [
    ...SUBJECT_PARTS.flatMap((type) => subject.filter((part) => part.type === type)),
    ...last(NAME_TYPE.commonName),
    ...last(NAME_TYPE.serialNumber),
  ];
}

function furtherNames({ dnsNames, emailAddresses, ipAddresses, uris }: CertificateRequest): FurtherName[] {
  const named = (type: FurtherName['type'], values: readonly string[]): FurtherName[] =>
    values.map((value) => ({ type, value }));
  return [
    ...named('dns', dnsNames),
    ...named('email', emailAddresses),
    ...named('ip', ipAddresses),
    ...named('url', uris),
  ];
}

function usagesOf(names: readonly string[]): CertificateUsages {
  let bits = 0;
  const extended = new Set<string>();
  for (const name of names) {
    const usage = KEY_USAGES.get(name);
    if (usage === undefined) throw new Error(`there is no usage ${JSON.stringify(name)}`);
    if ('bit' in usage) bits |= 1 << usage.bit;
    else extended.add(usage.extended);
  }
  return { bits, extended: [...extended] };
}
