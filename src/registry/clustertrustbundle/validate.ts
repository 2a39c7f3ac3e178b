import { X509Certificate } from 'node:crypto';
import { invalid, tooLong, type FieldError } from '../../errors/field-error.ts';
import type { FieldPath } from '../../errors/field-path.ts';
import { pemBlocks, type PemBlock } from '../../lib/x509/pem.ts';
import { objectAt, textAt } from '../../meta/fields.ts';
import { dnsSubdomainProblems } from '../../meta/names.ts';
import type { TypeCheck } from '../../schema/rules/rule-book.ts';
import { checkSignerName } from '../certificatesigningrequest/validate.ts';
import { addProblems } from '../problems.ts';

const MAX_BUNDLE = 1024 * 1024;

/** ClusterTrustBundles: authorities of a signer, which their name begins with, or of none. */
export const clusterTrustBundle: TypeCheck = (bundle, at, { root, old, errors }) => {
  const spec = objectAt(bundle, 'spec');
  const before = objectAt(old, 'spec');
  const signer = textAt(spec, 'signerName');
  const path = at.child('spec');
  checkName(root.metadata.name ?? '', signer, errors);
  if (signer !== '') errors.push(...checkSignerName(String(path.child('signerName')), signer));
  if (old !== undefined && signer !== textAt(before, 'signerName'))
    errors.push(invalid(path.child('signerName'), signer, 'field is immutable'));
  const text = textAt(spec, 'trustBundle');
  if (old === undefined || text !== textAt(before, 'trustBundle'))
    checkAuthorities(text, path.child('trustBundle'), errors);
};

function checkName(name: string, signer: string, errors: FieldError[]): void {
  const at = 'metadata.name';
  const prefix = signer === '' ? '' : `${signer.replaceAll('/', ':')}:`;
  if (!name.startsWith(prefix)) errors.push(invalid(at, name, `must begin with ${prefix}`));
  else addProblems(errors, at, name, dnsSubdomainProblems(name.slice(prefix.length)));
}

function checkAuthorities(text: string, at: FieldPath, errors: FieldError[]): void {
  if (Buffer.byteLength(text) > MAX_BUNDLE) {
    errors.push(tooLong(at, MAX_BUNDLE));
    return;
  }
  const seen = new Set<string>();
  let count = 0;
  for (const block of pemBlocks(text)) {
    const problem = problemOf(block);
    const identity = block.bytes.toString('base64');
    if (problem !== undefined) errors.push(invalid(at, '…', `the block ${count} ${problem}`));
    else if (seen.has(identity)) errors.push(invalid(at, '…', `the block ${count} is there twice`));
    seen.add(identity);
    count++;
  }
  if (count === 0) errors.push(invalid(at, '…', 'must have at least one certificate'));
}

function problemOf({ label, hasHeaders, bytes }: PemBlock): string | undefined {
  if (label !== 'CERTIFICATE') return 'is no certificate';
  if (hasHeaders) return 'has headers';
  try {
    return new X509Certificate(bytes).ca ? undefined : 'is no certificate authority';
  } catch {
    return "isn't an X.509 certificate";
  }
}
