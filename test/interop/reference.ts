import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../support/free-ports.ts';
import { findPeer } from './peers.ts';

/** The Go API server of release 1.32 on an etcd, with a static admin token. */
export interface ReferenceServer {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
  stop(): Promise<void>;
}

const TOKEN = 'reference-admin';
const READY_WITHIN_MS = 60_000;

/**
 * Starts a kube-apiserver on the given etcd, storing JSON, and waits until it is ready. Later flags win over its own, but for
 * the plugins that are left out: those add up.
 */
export async function startReference(
  etcdUrl: string,
  extraArgs: readonly string[] = [],
  leftOut: readonly string[] = ['ServiceAccount'],
): Promise<ReferenceServer> {
  const directory = mkdtempSync(join(tmpdir(), 'orch-reference-'));
  const port = await freePort();
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(join(directory, 'sa.key'), privateKey.export({ type: 'pkcs1', format: 'pem' }));
  writeFileSync(join(directory, 'sa.pub'), publicKey.export({ type: 'spki', format: 'pem' }));
  writeFileSync(join(directory, 'tokens.csv'), `${TOKEN},admin,admin-uid,"system:masters"\n`);
  const child = spawn(
    findPeer('kube-apiserver'),
    [
      '--bind-address=127.0.0.1',
      `--secure-port=${port}`,
      `--cert-dir=${directory}`,
      `--etcd-servers=${etcdUrl}`,
      '--storage-media-type=application/json',
      `--token-auth-file=${join(directory, 'tokens.csv')}`,
      '--authorization-mode=Node,RBAC',
      `--disable-admission-plugins=${leftOut.join(',')}`,
      `--service-account-key-file=${join(directory, 'sa.pub')}`,
      `--service-account-signing-key-file=${join(directory, 'sa.key')}`,
      '--service-account-issuer=https://kubernetes.default.svc',
      '--service-cluster-ip-range=10.0.0.0/24',
      ...extraArgs,
    ],
    { stdio: process.env['ORCH_TEST_LOG'] === undefined ? 'ignore' : 'inherit' },
  );
  const exited = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exited;
    rmSync(directory, { recursive: true, force: true });
  };
  const url = `https://127.0.0.1:${port}`;
  const deadline = Date.now() + READY_WITHIN_MS;
  while (!(await isReady(url))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop();
      throw new Error('the reference API server did not become ready');
    }
    await delay(100);
  }
  return { url, token: TOKEN, pid: child.pid ?? 0, stop };
}

/** Another program's readiness can only be asked for. */
function isReady(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = https.get(`${url}/readyz`, { rejectUnauthorized: false, timeout: 1_000 }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    request.on('error', () => resolve(false));
    request.on('timeout', () => request.destroy());
  });
}
