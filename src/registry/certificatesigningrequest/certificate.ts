import { X509Certificate } from 'node:crypto';
import { forbidden, invalid, type FieldError } from '../../errors/field-error.ts';
import { pemBlocks } from '../../lib/x509/pem.ts';
import type { ApiObject } from '../../meta/object.ts';
import { objectAt, textAt } from '../../meta/fields.ts';

const FIELD = 'status.certificate';

/** Rules for a status that brings a certificate: there is one, in PEM, and it stays. */
export function checkCertificate(request: ApiObject, old: ApiObject): FieldError[] {
  const certificate = certificateOf(request);
  const before = certificateOf(old);
  if (certificate === before) return [];
  if (before !== '') return [forbidden(FIELD, 'updates may not change the certificate')];
  try {
    readCertificates(Buffer.from(certificate, 'base64').toString('latin1'));
    return [];
  } catch (error) {
    return [invalid(FIELD, '<certificate data>', (error as Error).message)];
  }
}

function certificateOf(request: ApiObject): string {
  return textAt(objectAt(request, 'status'), 'certificate');
}

function readCertificates(text: string): void {
  let count = 0;
  for (const { label, hasHeaders, bytes } of pemBlocks(text)) {
    if (label !== 'CERTIFICATE') throw new Error(`only CERTIFICATE blocks may be in it, not ${label}`);
    if (hasHeaders) throw new Error('its blocks may have no headers');
    new X509Certificate(bytes);
    count++;
  }
  if (count === 0) throw new Error('it must hold at least one block CERTIFICATE in PEM');
}
