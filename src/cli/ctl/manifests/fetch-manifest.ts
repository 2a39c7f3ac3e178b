import { setTimeout as delay } from 'node:timers/promises';
import { CtlError } from '../errors.ts';

const ATTEMPTS = 3;
const PAUSE_MS = 1_000;
const WITHIN_MS = 60_000;

/**
 * Fetches a manifest from the web; three times when its server has trouble.
 *
 * @throws CtlError for any answer but 200.
 */
export async function fetchManifest(url: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
  for (let attempt = 1; ; attempt++) {
    const response = await ask(url, signal);
    if (response.ok && response.body !== null) return response.body;
    await response.body?.cancel();
    if (response.status < 500 || attempt === ATTEMPTS)
      throw new CtlError(
        `unable to read URL ${JSON.stringify(url)}, server reported ${response.status} ${response.statusText}`.trimEnd(),
      );
    await delay(PAUSE_MS, undefined, { signal });
  }
}

async function ask(url: string, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(WITHIN_MS)]) });
  } catch (cause) {
    signal.throwIfAborted();
    const why =
      cause instanceof Error ? (cause.cause instanceof Error ? cause.cause : cause).message : String(cause);
    throw new CtlError(`unable to read URL ${JSON.stringify(url)}: ${why}`, { cause });
  }
}
