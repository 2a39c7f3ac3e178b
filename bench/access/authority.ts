import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

/** A client's certificate and its key, PEM. */
export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
}

/** Vouches for clients. */
export interface Authority {
  /** PEM. */
  readonly cert: string;
  issue(user: string, group: string): Promise<ClientCertificate>;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';
const HOUR = 3_600_000;

/** Makes an authority whose certificates are valid for an hour. */
export async function makeAuthority(): Promise<Authority> {
  x509.cryptoProvider.set(webcrypto);
  const keys = await newKeys();
  const validity = { notBefore: new Date(Date.now() - HOUR), notAfter: new Date(Date.now() + HOUR) };
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    ...{ name: 'CN=bench', keys, signingAlgorithm: ALGORITHM, ...validity },
    extensions: [new x509.BasicConstraintsExtension(true, undefined, true)],
  });
  return {
    cert: `${root.toString('pem')}\n`,
    async issue(user, group) {
      const own = await newKeys();
      const certificate = await x509.X509CertificateGenerator.create({
        ...{ subject: `CN=${user}, O=${group}`, issuer: root.subject, ...validity },
        ...{ publicKey: own.publicKey, signingKey: keys.privateKey, signingAlgorithm: ALGORITHM },
        extensions: [new x509.ExtendedKeyUsageExtension([CLIENT_AUTH])],
      });
      const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', own.privateKey));
      const key = `-----BEGIN PRIVATE KEY-----\n${pkcs8.toString('base64')}\n-----END PRIVATE KEY-----\n`;
      return { cert: `${certificate.toString('pem')}\n`, key };
    },
  };
}

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}
