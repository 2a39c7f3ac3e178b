import { setTimeout as delay } from 'node:timers/promises';
import type { Api } from '../api/api.ts';
import { CtlError } from '../errors.ts';
import { targetPath, type WriteTarget } from '../write/find-target.ts';

const WITHIN_MS = 30_000;
const PAUSE_MS = 50;

interface Definition {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** Waits until the kinds of definitions that were applied are served. @throws CtlError when that takes too long. */
export async function waitForDefinitions(
  api: Api,
  definitions: readonly WriteTarget[],
  signal: AbortSignal,
): Promise<void> {
  const deadline = performance.now() + WITHIN_MS;
  for (const target of definitions) {
    while (!isEstablished(await api.json<Definition>({ path: targetPath(target) }))) {
      if (performance.now() > deadline)
        throw new CtlError(
          `the server has not begun to serve what ${target.name} defines within ${WITHIN_MS / 1000} s`,
        );
      await delay(PAUSE_MS, undefined, { signal });
    }
  }
}

function isEstablished({ status }: Definition): boolean {
  return status?.conditions?.some((one) => one.type === 'Established' && one.status === 'True') === true;
}
