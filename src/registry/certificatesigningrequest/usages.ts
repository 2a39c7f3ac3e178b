/** What a usage is in a certificate (RFC 5280): a bit of the key usage, or an extended one by its object identifier. */
export type KeyUsage = { readonly bit: number } | { readonly extended: string };

/** The usages that a CertificateSigningRequest may name. */
export const KEY_USAGES: ReadonlyMap<string, KeyUsage> = new Map<string, KeyUsage>([
  ['any', { extended: '2.5.29.37.0' }],
  ['cert sign', { bit: 5 }],
  ['client auth', { extended: '1.3.6.1.5.5.7.3.2' }],
  ['code signing', { extended: '1.3.6.1.5.5.7.3.3' }],
  ['content commitment', { bit: 1 }],
  ['crl sign', { bit: 6 }],
  ['data encipherment', { bit: 3 }],
  ['decipher only', { bit: 8 }],
  ['digital signature', { bit: 0 }],
  ['email protection', { extended: '1.3.6.1.5.5.7.3.4' }],
  ['encipher only', { bit: 7 }],
  ['ipsec end system', { extended: '1.3.6.1.5.5.7.3.5' }],
  ['ipsec tunnel', { extended: '1.3.6.1.5.5.7.3.6' }],
  ['ipsec user', { extended: '1.3.6.1.5.5.7.3.7' }],
  ['key agreement', { bit: 4 }],
  ['key encipherment', { bit: 2 }],
  ['microsoft sgc', { extended: '1.3.6.1.4.1.311.10.3.3' }],
  ['netscape sgc', { extended: '2.16.840.1.113730.4.1' }],
  ['ocsp signing', { extended: '1.3.6.1.5.5.7.3.9' }],
  ['s/mime', { extended: '1.3.6.1.5.5.7.3.4' }],
  ['server auth', { extended: '1.3.6.1.5.5.7.3.1' }],
  ['signing', { bit: 0 }],
  ['timestamping', { extended: '1.3.6.1.5.5.7.3.8' }],
]);

export const USAGES: readonly string[] = [...KEY_USAGES.keys()];
