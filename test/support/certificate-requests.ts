import 'reflect-metadata';
import { generateKeyPairSync, webcrypto, type KeyObject } from 'node:crypto';
import * as x509 from '@peculiar/x509';

/** What a test wants a certificate for. */
export interface RequestTemplate {
  readonly commonName?: string;
  readonly organizations?: readonly string[];
  /** The whole subject instead of these two. */
  readonly subject?: x509.JsonNameParams;
  readonly names?: readonly x509.JsonGeneralName[];
  readonly key?: KeyType;
  readonly hash?: string;
}

export type KeyType = 'P-256' | 'P-384' | 'P-521' | 'Ed25519' | 'RSA-1024' | 'RSA-2048';

/** A request and its key, PEM. */
export interface TestRequest {
  readonly pem: string;
  readonly key: KeyObject;
}

/** Makes a request as node agents do, by default with a new key on P-256. */
export async function makeRequest(template: RequestTemplate): Promise<TestRequest> {
  const { commonName = '', organizations = [], names = [], key: type = 'P-256', hash = 'SHA-256' } = template;
  const subject = template.subject ?? [
    ...organizations.map((name) => ({ O: [{ utf8String: name }] })),
    ...(commonName === '' ? [] : [{ CN: [{ utf8String: commonName }] }]),
  ];
  const pair = makeKeys(type);
  const algorithm = algorithmOf(type, hash);
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    name: new x509.Name(subject),
    keys: {
      privateKey: pair.privateKey.toCryptoKey(algorithm, true, ['sign']),
      publicKey: pair.publicKey.toCryptoKey(algorithm, true, ['verify']),
    },
    signingAlgorithm: algorithm,
    ...(names.length === 0 ? {} : { extensions: [new x509.SubjectAlternativeNameExtension([...names])] }),
  });
  x509.cryptoProvider.set(webcrypto);
  return { pem: `${request.toString('pem')}\n`, key: pair.privateKey };
}

function makeKeys(type: KeyType): { privateKey: KeyObject; publicKey: KeyObject } {
  if (type === 'Ed25519') return generateKeyPairSync('ed25519');
  if (type.startsWith('RSA')) return generateKeyPairSync('rsa', { modulusLength: Number(type.slice(4)) });
  return generateKeyPairSync('ec', { namedCurve: type });
}

function algorithmOf(type: KeyType, hash: string): { name: string; hash: string; namedCurve: string } {
  if (type === 'Ed25519') return { name: 'Ed25519', hash, namedCurve: '' };
  if (type.startsWith('RSA')) return { name: 'RSASSA-PKCS1-v1_5', hash, namedCurve: '' };
  return { name: 'ECDSA', hash, namedCurve: type };
}
