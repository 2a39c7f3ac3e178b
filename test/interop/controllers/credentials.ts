import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { selfSigned } from '../../support/certificates.ts';

/** Who calls the API server; each has a token. */
const USERS = {
  admin: { user: 'admin', groups: '"system:masters"' },
  'kube-controller-manager': { user: 'system:kube-controller-manager', groups: '' },
  'kube-scheduler': { user: 'system:kube-scheduler', groups: '' },
} as const;

export type UserName = keyof typeof USERS;

/** Files that an API server and its peers share, all in one folder. */
export interface Credentials {
  readonly certificate: string;
  readonly certificateKey: string;
  readonly serviceAccountKey: string;
  readonly serviceAccountPublicKey: string;
  readonly tokens: string;
  /** Writes the kubeconfig of a user. @returns its path */
  kubeconfig(user: UserName, url: string): string;
}

const VALID_MS = 24 * 3_600_000;

/** Makes them in a folder. */
export async function makeCredentials(directory: string): Promise<Credentials> {
  const write = (name: string, text: string): string => {
    writeFileSync(join(directory, name), text, { mode: 0o600 });
    return join(directory, name);
  };
  const { cert, key } = await selfSigned(Date.now() + VALID_MS);
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const certificate = write('server.crt', cert);
  return {
    certificate,
    certificateKey: write('server.key', key),
    serviceAccountKey: write('sa.key', privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()),
    serviceAccountPublicKey: write('sa.pub', publicKey.export({ type: 'spki', format: 'pem' }).toString()),
    tokens: write(
      'tokens.csv',
      Object.entries(USERS)
        .map(([name, { user, groups }]) => `token-of-${name},${user},${name}-uid,${groups}\n`)
        .join(''),
    ),
    kubeconfig: (user, server) =>
      write(
        `${user}.kubeconfig`,
        JSON.stringify({
          apiVersion: 'v1',
          kind: 'Config',
          'current-context': 'it',
          clusters: [{ name: 'it', cluster: { server, 'certificate-authority': certificate } }],
          contexts: [{ name: 'it', context: { cluster: 'it', user } }],
          users: [{ name: user, user: { token: `token-of-${user}` } }],
        }),
      ),
  };
}
