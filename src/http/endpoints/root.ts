import { indentJson } from '../format/indent-json.ts';
import type { Endpoint } from '../pipeline.ts';

/** `/` and `/index.html`: the paths that can be asked for, sorted, for people who look around. */
export function rootEndpoints(paths: () => readonly string[]): [path: string, endpoint: Endpoint][] {
  const serve: Endpoint = (exchange) => {
    const body = indentJson(Buffer.from(JSON.stringify({ paths: [...paths()].sort() })));
    exchange.send(200, { 'content-type': 'application/json' }, body);
  };
  return [
    ['/', serve],
    ['/index.html', serve],
  ];
}
