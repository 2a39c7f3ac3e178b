import { join } from 'node:path';
import { freePort } from '../../support/free-ports.ts';
import type { Credentials, UserName } from './credentials.ts';
import { FAKE } from './nodes.ts';
import { startProgram, type Program } from './programs.ts';

/** Where the programs are. */
export interface Peers {
  readonly kwok: string;
  readonly 'kube-controller-manager': string;
  readonly 'kube-scheduler': string;
}

export interface HelperOptions {
  readonly peers: Peers;
  readonly credentials: Credentials;
  /** Of the API server. */
  readonly url: string;
  /** For logs and certificates. */
  readonly directory: string;
}

// Two clusters share a machine that may be busy: a lead that is lost ends the program.
const ELECTION = [
  '--leader-elect-lease-duration=60s',
  '--leader-elect-renew-deadline=40s',
  '--leader-elect-retry-period=5s',
];

const RATES = ['--kube-api-qps=200', '--kube-api-burst=400'];

/**
 * Starts the Go controller manager, whose controllers use their own service accounts, the Go scheduler, and kwok, which plays
 * nodes and their pods.
 */
export async function startHelpers(options: HelperOptions): Promise<Program[]> {
  const { peers, credentials, url, directory } = options;
  const configFlags = async (user: UserName): Promise<string[]> => {
    const file = credentials.kubeconfig(user, url);
    return [
      `--kubeconfig=${file}`,
      `--authentication-kubeconfig=${file}`,
      `--authorization-kubeconfig=${file}`,
      '--bind-address=127.0.0.1',
      `--secure-port=${await freePort()}`,
      `--cert-dir=${join(directory, user)}`,
      ...ELECTION,
      ...RATES,
    ];
  };
  return [
    startProgram(directory, 'kube-controller-manager', [
      peers['kube-controller-manager'],
      ...(await configFlags('kube-controller-manager')),
      '--use-service-account-credentials=true',
      `--service-account-private-key-file=${credentials.serviceAccountKey}`,
      `--root-ca-file=${credentials.certificate}`,
      '--horizontal-pod-autoscaler-sync-period=5s',
    ]),
    startProgram(directory, 'kube-scheduler', [
      peers['kube-scheduler'],
      ...(await configFlags('kube-scheduler')),
    ]),
    startProgram(directory, 'kwok', [
      peers.kwok,
      `--kubeconfig=${credentials.kubeconfig('admin', url)}`,
      `--config=${join(import.meta.dirname, 'kwok.yaml')}`,
      '--manage-all-nodes=false',
      ...Object.entries(FAKE).map(
        ([key, value]) => `--manage-nodes-with-annotation-selector=${key}=${value}`,
      ),
      '--node-lease-duration-seconds=40',
    ]),
  ];
}
