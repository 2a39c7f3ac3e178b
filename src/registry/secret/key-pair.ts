import { createPrivateKey, X509Certificate } from 'node:crypto';
import { textAt } from '../../meta/fields.ts';
import type { JsonObject } from '../../meta/object.ts';

/** What is said of a pair of a certificate and a key that no server could use. The data themselves are never told. */
export function keyPairWarnings(data: JsonObject | undefined): string[] {
  const text = bytesAt(data, 'tls.crt');
  const certificate = text.includes('-----BEGIN') ? attempt(() => new X509Certificate(text)) : undefined;
  if (certificate === undefined) return ['tls: tls.crt holds no certificate in PEM form'];
  const key = attempt(() => createPrivateKey(bytesAt(data, 'tls.key')));
  if (key === undefined) return ['tls: tls.key holds no private key in PEM form'];
  return certificate.checkPrivateKey(key)
    ? []
    : ['tls: tls.key is not the key of the certificate in tls.crt'];
}

function bytesAt(data: JsonObject | undefined, key: string): Buffer {
  return Buffer.from(textAt(data, key), 'base64');
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
