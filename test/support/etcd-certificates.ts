import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as x509 from '@peculiar/x509';

/** Files of an authority, and of a server at 127.0.0.1 and a client that it has signed. */
export interface EtcdCertificates {
  readonly cafile: string;
  readonly server: { readonly certfile: string; readonly keyfile: string };
  readonly client: { readonly certfile: string; readonly keyfile: string };
  remove(): Promise<void>;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1';
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';

/** Makes them in a directory of their own, valid for an hour. */
export async function makeEtcdCertificates(): Promise<EtcdCertificates> {
  x509.cryptoProvider.set(webcrypto);
  const directory = await mkdtemp(join(tmpdir(), 'orch-etcd-tls-'));
  const authority = await newKeys();
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=test authority',
    keys: authority,
    signingAlgorithm: ALGORITHM,
    extensions: [new x509.BasicConstraintsExtension(true)],
    ...validity(),
  });
  const cafile = join(directory, 'ca.crt');
  await writeFile(cafile, ca.toString('pem'));
  const signed = async (name: string, usage: string) => {
    const keys = await newKeys();
    const certificate = await x509.X509CertificateGenerator.create({
      subject: `CN=${name}`,
      issuer: ca.subject,
      publicKey: keys.publicKey,
      signingKey: authority.privateKey,
      signingAlgorithm: ALGORITHM,
      extensions: [
        new x509.ExtendedKeyUsageExtension([usage]),
        new x509.SubjectAlternativeNameExtension([{ type: 'ip', value: '127.0.0.1' }]),
      ],
      ...validity(),
    });
    const files = { certfile: join(directory, `${name}.crt`), keyfile: join(directory, `${name}.key`) };
    await writeFile(files.certfile, certificate.toString('pem'));
    await writeFile(files.keyfile, await privatePem(keys));
    return files;
  };
  return {
    cafile,
    server: await signed('server', SERVER_AUTH),
    client: await signed('client', CLIENT_AUTH),
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

function validity(): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(Date.now() - 60_000), notAfter: new Date(Date.now() + 3_600_000) };
}

async function privatePem(keys: webcrypto.CryptoKeyPair): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
  return `-----BEGIN PRIVATE KEY-----\n${der.toString('base64')}\n-----END PRIVATE KEY-----\n`;
}
