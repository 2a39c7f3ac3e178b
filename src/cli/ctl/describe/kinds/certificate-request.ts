import { humanDuration } from '../../../../lib/human-duration.ts';
import { readCertificateRequest, type CertificateRequest } from '../../../../lib/x509/certificate-request.ts';
import { NAME_TYPE } from '../../../../lib/x509/name.ts';
import { CtlError } from '../../errors.ts';
import { defineDescriber } from '../describer.ts';
import type { Description } from '../description.ts';
import type { Condition, Described } from '../objects.ts';
import { labelText } from '../parts/metadata.ts';
import { longTime } from '../times.ts';

interface CertificateSigningRequest extends Described {
  readonly spec?: {
    readonly request?: string;
    readonly signerName?: string;
    readonly expirationSeconds?: number;
    readonly username?: string;
  };
  readonly status?: { readonly conditions?: readonly Condition[]; readonly certificate?: string };
}

/** What a subject may have several of. */
const SUBJECT_LISTS: readonly (readonly [label: string, type: string])[] = [
  ['Organization', NAME_TYPE.organization],
  ['Organizational Unit', NAME_TYPE.organizationalUnit],
  ['Country', NAME_TYPE.country],
  ['Locality', NAME_TYPE.locality],
  ['Province', NAME_TYPE.province],
  ['StreetAddress', NAME_TYPE.street],
  ['PostalCode', NAME_TYPE.postalCode],
];

export const certificateSigningRequest = defineDescriber<CertificateSigningRequest>({
  write(page, { metadata, spec = {}, status = {} }) {
    const request = parse(spec.request);
    page.row('Name', metadata.name ?? '');
    page.row('Labels', labelText(metadata.labels));
    page.row('Annotations', labelText(metadata.annotations));
    page.row('CreationTimestamp', longTime(metadata.creationTimestamp));
    page.row('Requesting User', spec.username ?? '');
    if (spec.signerName) page.row('Signer', spec.signerName);
    if (spec.expirationSeconds !== undefined)
      page.row('Requested Duration', humanDuration(spec.expirationSeconds * 1000));
    page.row('Status', statusText(status));
    writeSubject(page, request);
    writeNames(page, request);
  },
});

/** Of a PEM in base64. @throws CtlError for what is no request. */
function parse(request = ''): CertificateRequest {
  try {
    return readCertificateRequest(Buffer.from(request, 'base64'));
  } catch (cause) {
    throw new CtlError(`Error parsing CSR: it ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}

function statusText({
  conditions = [],
  certificate = '',
}: NonNullable<CertificateSigningRequest['status']>): string {
  const has = (wanted: string): boolean => conditions.some(({ type }) => type === wanted);
  const decision = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending';
  return `${decision}${has('Failed') ? ',Failed' : ''}${certificate === '' ? '' : ',Issued'}`;
}

function writeSubject(page: Description, { subject, commonName }: CertificateRequest): void {
  const valuesOf = (wanted: string): string[] =>
    subject.filter(({ type }) => type === wanted).map(({ value }) => value);
  page.line('Subject:');
  page.row('\tCommon Name', commonName);
  page.row('\tSerial Number', valuesOf(NAME_TYPE.serialNumber).at(-1) ?? '');
  for (const [label, type] of SUBJECT_LISTS) writeList(page, label, valuesOf(type));
}

function writeNames(page: Description, request: CertificateRequest): void {
  const { dnsNames, emailAddresses, uris, ipAddresses } = request;
  const lists = [
    ['DNS Names', dnsNames],
    ['Email Addresses', emailAddresses],
    ['URIs', uris],
    ['IP Addresses', ipAddresses.map(shortAddress)],
  ] as const;
  if (lists.some(([, values]) => values.length > 0)) page.line('Subject Alternative Names:');
  for (const [label, values] of lists) writeList(page, label, values);
}

/** An IPv6 address without its zeros. */
function shortAddress(address: string): string {
  return address.includes(':') ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}

function writeList(page: Description, label: string, values: readonly string[]): void {
  if (values.length > 0) page.line(`\t${label}:\t${values.join('\n\t\t')}`);
}
