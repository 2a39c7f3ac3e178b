import type { JsonObject } from '../../../src/meta/object.ts';
import { mergeApplied } from '../../../src/schema/merge/merge-applied.ts';
import { TYPE } from '../../unit/schema/merge/example.ts';

/** Two lists that share half of their items, in opposite order. */
export default function merge(size: number): Promise<() => unknown> {
  const items = (from: number): JsonObject[] =>
    Array.from({ length: size }, (_, i) => ({ name: `n${from + i}`, value: from }));
  const live = { named: items(0) };
  const applied = { named: items(Math.floor(size / 2)).reverse() };
  return Promise.resolve(() => mergeApplied(TYPE, live, applied));
}
