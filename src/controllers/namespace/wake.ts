import type { ControllerParts } from '../controller.ts';
import type { Remains } from './content.ts';

/** What ends waiting. */
export type StopWaiting = () => void;

/** Calls back, once, as soon as all that is left of one of some resources in a namespace has gone. */
export function whenGone(
  { store }: Pick<ControllerParts, 'store'>,
  namespace: string,
  { remains, tell }: { readonly remains: readonly Remains[]; readonly tell: () => void },
): StopWaiting {
  const ended = new AbortController();
  const once = (): void => {
    if (ended.signal.aborted) return;
    ended.abort();
    tell();
  };
  for (const { row, count, revision } of remains) {
    let left = count;
    const sink = {
      deliver({ events }: { readonly events: readonly { readonly type: string }[] }): void {
        left -= events.filter(({ type }) => type === 'DELETED').length;
        if (left <= 0) once();
      },
      end: once,
    };
    const start = { from: 'after', revision } as const;
    const request = { resource: row, namespace, start, markInitialEvents: false, signal: ended.signal };
    store.watch(request, sink).catch(once);
  }
  return () => ended.abort();
}
