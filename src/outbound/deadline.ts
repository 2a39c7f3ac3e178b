import type { Clock } from '../lib/clock.ts';

/** A call was not answered in its time. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';

  constructor(ms: number) {
    super(`no answer within ${ms / 1000} s`);
  }
}

/** Lets `call` take `ms` at most: then its signal aborts, and it is waited for no longer. @throws DeadlineError. */
export async function withDeadline<T>(
  clock: Clock,
  ms: number,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  let cancel = (): void => undefined;
  const late = new Promise<never>((_resolve, reject) => {
    cancel = clock.after(ms, () => {
      const error = new DeadlineError(ms);
      reject(error);
      controller.abort(error);
    });
  });
  try {
    return await Promise.race([call(controller.signal), late]);
  } finally {
    cancel();
  }
}

/** Waits. @throws the signal's reason when that aborts first. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      cancel();
      reject(signal.reason as Error);
    };
    const cancel = clock.after(ms, () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    signal.addEventListener('abort', stop, { once: true });
  });
}
