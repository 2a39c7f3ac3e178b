import type { Duplex } from 'node:stream';

/** How long what one side has sent may take to reach the other, once that side is gone. */
const LINGER_MS = 10_000;

/**
 * Joins two connections: what comes from one goes to the other, as fast as that takes it. The end of what one side sends is
 * passed on; when one is gone, the other gets what is left of it, and ends.
 *
 * @returns what ends both.
 */
export function join(here: Duplex, there: Duplex): () => void {
  follow(here, there);
  follow(there, here);
  return () => {
    for (const side of [here, there]) side.end(() => side.destroy());
  };
}

function follow(from: Duplex, to: Duplex): void {
  if (from.destroyed) {
    to.destroy();
    return;
  }
  from.pipe(to);
  from.on('error', () => undefined); // 'close' comes after it
  from.once('close', () => {
    if (to.destroyed) return;
    const cut = setTimeout(() => to.destroy(), LINGER_MS);
    to.once('close', () => clearTimeout(cut));
    to.end(() => to.destroy());
  });
}
