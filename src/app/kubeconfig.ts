import { rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { stringify } from 'yaml';
import { makeFolder } from '../lib/make-folder.ts';
import type { KeyPair } from './certificates.ts';

export interface KubeconfigOptions {
  /** Where the file goes. Made with mode 0600, since it holds a key. */
  readonly path: string;
  /** `https://host:port`. */
  readonly server: string;
  /** PEM of the authority that signed the serving certificate. */
  readonly authority: string;
  readonly client: KeyPair;
}

/** Writes a client configuration in which everything is inline, with one cluster, user and context of the same name. */
export async function writeKubeconfig(options: KubeconfigOptions): Promise<void> {
  const name = 'orch';
  const base64 = (pem: string): string => Buffer.from(pem).toString('base64');
  const text = stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    clusters: [
      { name, cluster: { server: options.server, 'certificate-authority-data': base64(options.authority) } },
    ],
    contexts: [{ name, context: { cluster: name, user: name } }],
    users: [
      {
        name,
        user: {
          'client-certificate-data': base64(options.client.certificate),
          'client-key-data': base64(options.client.key),
        },
      },
    ],
  });
  await makeFolder(dirname(options.path));
  await writeFile(`${options.path}.new`, text, { mode: 0o600 });
  await rename(`${options.path}.new`, options.path);
}
