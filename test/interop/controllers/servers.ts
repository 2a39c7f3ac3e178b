import { startProcess } from '../../support/server-process.ts';
import { startReference } from '../reference.ts';
import type { Credentials } from './credentials.ts';

/** An API server under test, or the one that it is compared with. */
export interface ApiServer {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<unknown>;
}

export type StartServer = (etcd: string, credentials: Credentials) => Promise<ApiServer>;

const flagsOf = (credentials: Credentials): string[] => [
  `--tls-cert-file=${credentials.certificate}`,
  `--tls-private-key-file=${credentials.certificateKey}`,
  `--token-auth-file=${credentials.tokens}`,
  `--service-account-key-file=${credentials.serviceAccountPublicKey}`,
  `--service-account-signing-key-file=${credentials.serviceAccountKey}`,
  `--client-ca-file=${credentials.certificate}`,
  `--requestheader-client-ca-file=${credentials.certificate}`,
  '--requestheader-allowed-names=front-proxy-client',
  '--requestheader-username-headers=X-Remote-User',
  '--requestheader-group-headers=X-Remote-Group',
  '--requestheader-extra-headers-prefix=X-Remote-Extra-',
  '--etcd-compaction-interval=1m',
];

/** The Go API server, storing Protobuf as it comes. */
export const startTheirs: StartServer = (etcd, credentials) =>
  startReference(
    etcd,
    [...flagsOf(credentials), '--storage-media-type=application/vnd.kubernetes.protobuf'],
    [],
  );

/** Ours, built, which leaves all controllers to the Go controller manager. */
export const startOurs: StartServer = async (etcd, credentials) => {
  const started = await startProcess({
    built: true,
    args: [
      ...flagsOf(credentials),
      '--naming=kubernetes',
      '--controllers=-*',
      '--authorization-mode=Node,RBAC',
      '--service-account-issuer=https://kubernetes.default.svc',
      '--service-cluster-ip-range=10.0.0.0/24',
      `--etcd-servers=${etcd}`,
    ],
  });
  return { url: started.url, pid: started.process.pid ?? 0, stop: () => started.stop() };
};
