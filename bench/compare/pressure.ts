import { p99, PODS, type Figure, type Settings } from './figures.ts';
import { load } from './load.ts';
import { apply, type Running } from './servers.ts';

/** A body just below the limit; no kind's rules allow such an object, but that is found out last. */
const LARGE_BODY = JSON.stringify({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name: 'large' },
  data: { text: 'x'.repeat(3_000_000) },
});

/** How long small requests wait while four full lists, an apply of 3 MB and OpenAPI documents are under way. */
export async function underPressure(server: Running, { loadgen }: Settings): Promise<Figure[]> {
  const ask = (path: string, n: number, c: number): ReturnType<typeof load> =>
    load(loadgen, server, ['-n', String(n), '-c', String(c), '-path', path, 'url']);
  let measuring = true;
  const keep = async (work: () => Promise<unknown>): Promise<void> => {
    while (measuring) await work();
  };
  const pressure = Promise.all([
    keep(() => ask(PODS, 8, 4)),
    keep(() => apply(server, '/api/v1/namespaces/bench/configmaps/large?fieldManager=bench', LARGE_BODY)),
    keep(() => ask('/openapi/v2', 1, 1)),
  ]);
  const [[get], [live]] = await Promise.all([ask(`${PODS}/pod-000001`, 1_000, 2), ask('/livez', 1_000, 1)]);
  measuring = false;
  await pressure;
  return [p99('get under pressure', get?.p99_ms), p99('/livez under pressure', live?.p99_ms)];
}
