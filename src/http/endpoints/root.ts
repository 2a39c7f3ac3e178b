import { indentJson } from '../format/indent-json.ts';
import type { Endpoint } from '../pipeline.ts';
import { sendBytes } from '../respond/bytes.ts';

/** `/` and `/index.html`: the paths that can be asked for, sorted, for people who look around. */
export function rootEndpoints(paths: () => readonly string[]): [path: string, endpoint: Endpoint][] {
  const serve: Endpoint = (exchange) => {
    const body = indentJson(Buffer.from(JSON.stringify({ paths: [...paths()].sort() })));
    return sendBytes(exchange, 200, { 'content-type': 'application/json' }, body);
  };
  return [
    ['/', serve],
    ['/index.html', serve],
  ];
}
