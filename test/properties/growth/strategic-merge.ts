import type { JsonObject } from '../../../src/meta/object.ts';
import { loadSchemas } from '../../../src/schema/load.ts';
import { strategicMerge } from '../../../src/schema/patch/strategic-merge.ts';

/** Changes half of a list's items, and turns the order of all round. */
export default function merge(size: number): Promise<() => unknown> {
  const type = loadSchemas({ profile: 'orch' }).resource('', 'v1', 'pods')!.type;
  const items = (from: number): JsonObject[] =>
    Array.from({ length: size - from }, (_, i) => ({ name: `v${from + i}`, image: `i${from}` }));
  const patch = {
    '$setElementOrder/containers': items(0).reverse(),
    containers: items(Math.floor(size / 2)).reverse(),
  };
  const pod = { spec: { containers: items(0) } };
  return Promise.resolve(() => strategicMerge(type, pod, { spec: patch }));
}
