import { rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeYaml } from '../http/format/yaml-writer.ts';
import { makeFolder } from '../lib/make-folder.ts';
import type { KeyPair } from './certificates.ts';

export interface KubeconfigOptions {
  /** `https://host:port`. */
  readonly server: string;
  /** PEM of the authority that signed the serving certificate. */
  readonly authority: string;
  readonly client: KeyPair;
}

/** A client configuration in which everything is inline, with one cluster, user and context of the same name. */
export function kubeconfigText(options: KubeconfigOptions): string {
  const name = 'orch';
  const base64 = (pem: string): string => Buffer.from(pem).toString('base64');
  return writeYaml({
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
}

/** Writes a client configuration, with mode 0600, since it holds a key. */
export async function writeKubeconfig(path: string, options: KubeconfigOptions): Promise<void> {
  await makeFolder(dirname(path));
  await writeFile(`${path}.new`, kubeconfigText(options), { mode: 0o600 });
  await rename(`${path}.new`, path);
}
