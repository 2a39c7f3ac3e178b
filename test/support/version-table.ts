import { randomBytes } from 'node:crypto';
import type { Json, JsonObject } from '../../src/meta/object.ts';
import { httpClient, type Answer } from '../golden/runner/http.ts';

/** Queries, and what the answers are to them without a resourceVersion, with 0, a past one, and one to come. */
export type VersionTable = Readonly<Record<string, readonly [string, string, string, string]>>;

/**
 * Lists of config maps: `a b c d e` as of the past version; then a was changed (`A`) and b deleted. `|` stands where a
 * page ends, with the number of those that follow; `@past` for the list's version, if it is that.
 */
export const LISTS: VersionTable = {
  '': ['A c d e', 'A c d e', 'A c d e', '504 ResourceVersionTooLarge'],
  'limit=2': ['A c | 2', 'A c d e', 'a b | 3 @past', '504 ResourceVersionTooLarge'],
  'limit=4': ['A c d e', 'A c d e', 'a b c d | 1 @past', '504 ResourceVersionTooLarge'],
  'continue={token}': ['d e', 'd e', '400', '400'],
  'limit=1&continue={token}': ['d | 1', 'd | 1', '400', '400'],
  'labelSelector=g%3D2': ['c d e', 'c d e', 'c d e', '504 ResourceVersionTooLarge'],
  'labelSelector=g%3D2&limit=2': ['c d |', 'c d e', 'c d | @past', '504 ResourceVersionTooLarge'],

  'resourceVersionMatch=Exact': ['422 F', '422 F', 'a b c d e @past', '504 ResourceVersionTooLarge'],
  'resourceVersionMatch=Exact&limit=2': ['422 F', '422 F', 'a b | 3 @past', '504 ResourceVersionTooLarge'],
  'resourceVersionMatch=Exact&limit=2&continue={token}': ['422 FF', '422 FF', '422 F', '422 F'],
  'resourceVersionMatch=Exact&labelSelector=g%3D2': [
    '422 F',
    '422 F',
    'c d e @past',
    '504 ResourceVersionTooLarge',
  ],

  'resourceVersionMatch=NotOlderThan': ['422 F', 'A c d e', 'A c d e', '504 ResourceVersionTooLarge'],
  'resourceVersionMatch=NotOlderThan&limit=2': ['422 F', 'A c d e', 'A c | 2', '504 ResourceVersionTooLarge'],
  'resourceVersionMatch=NotOlderThan&limit=2&continue={token}': ['422 FF', '422 F', '422 F', '422 F'],

  'resourceVersionMatch=Newest': ['422 FN', '422 N', '422 N', '422 N'],
  'resourceVersionMatch=Newest&continue={token}': ['422 FFN', '422 FN', '422 FN', '422 FN'],
  'sendInitialEvents=true': ['422 F', '422 F', '422 F', '422 F'],
  'limit=many': ['400', '400', '400', '400'],
  'continue=garbage': ['400', '400', '400', '400'],
};

/** Gets of a, which was changed, and b, which was deleted. */
export const GETS: VersionTable = {
  a: ['A', 'A', 'A', '504 ResourceVersionTooLarge'],
  b: ['404', '404', '404', '504 ResourceVersionTooLarge'],
  'a?resourceVersionMatch=NotOlderThan': ['A', 'A', 'A', '504 ResourceVersionTooLarge'],
  'a?resourceVersionMatch=Newest': ['A', 'A', 'A', '504 ResourceVersionTooLarge'],
};

/** What only we answer: objects as they were. */
export const PAST_GETS: VersionTable = {
  'a?resourceVersionMatch=Exact': ['A', 'A', 'a', '504 ResourceVersionTooLarge'],
  'b?resourceVersionMatch=Exact': ['404', '404', 'b', '504 ResourceVersionTooLarge'],
  'nobody?resourceVersionMatch=Exact': ['404', '404', '404', '504 ResourceVersionTooLarge'],
};

/** Watches for a second: `+` added, `~` modified, `-` deleted, `!` the end of the initial events. */
export const WATCHES: VersionTable = {
  '': ['+A +c +d +e', '+A +c +d +e', '~A -b', ''],
  'allowWatchBookmarks=true': ['+A +c +d +e !', '+A +c +d +e !', '~A -b', ''],
  'limit=1': ['+A +c +d +e', '+A +c +d +e', '~A -b', ''],
  'labelSelector=g%3D1': ['+A', '+A', '~A -b', ''],
  'resourceVersionMatch=NotOlderThan': ['422 F', '422 F', '422 F', '422 F'],
  'resourceVersionMatch=Exact': ['422 FN', '422 FN', '422 FN', '422 FN'],
  'sendInitialEvents=true': ['422 F', '422 F', '422 F', '422 F'],
  'sendInitialEvents=false': ['422 F', '422 F', '422 F', '422 F'],
  'sendInitialEvents=true&resourceVersionMatch=Exact': ['422 FN', '422 FN', '422 FN', '422 FN'],
  'sendInitialEvents=false&resourceVersionMatch=NotOlderThan': ['', '', '~A -b', ''],
  'continue={token}': ['422 F', '422 F', '~A -b', ''],
};

/** The columns of a {@link VersionTable}. */
const COLUMNS = ['', 'resourceVersion=0', 'resourceVersion={past}', 'resourceVersion={future}'] as const;

interface World {
  /** Path of the config maps in a namespace of their own. */
  readonly path: string;
  readonly past: string;
  readonly future: string;
  readonly token: string;
}

/** A server, asked about the versions of objects that were made for it. */
export class VersionClient {
  readonly #http: ReturnType<typeof httpClient>;
  readonly #token: string;

  constructor(url: string, token: string) {
    this.#http = httpClient(url);
    this.#token = token;
  }

  close(): void {
    this.#http.close();
  }

  send(method: string, path: string, body?: JsonObject, accept = 'application/json'): Promise<Answer> {
    const authorization = `Bearer ${this.#token}`;
    const headers = { authorization, accept, 'content-type': 'application/json' };
    const content = body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) };
    return this.#http.send({ method, path, headers, ...content });
  }

  /** Makes the objects that the tables are about. */
  async prepare(): Promise<World> {
    const name = `versions-${randomBytes(4).toString('hex')}`;
    await this.#change('POST', '/api/v1/namespaces', { metadata: { name } });
    const path = `/api/v1/namespaces/${name}/configmaps`;
    let past = '';
    for (const [i, one] of ['a', 'b', 'c', 'd', 'e'].entries()) {
      const metadata = { name: one, labels: { g: i < 2 ? '1' : '2' } };
      past = versionOf(await this.#change('POST', path, { metadata }));
    }
    const changed = { metadata: { name: 'a', labels: { g: '1' } }, data: { changed: 'yes' } };
    await this.#change('PUT', `${path}/a`, changed);
    await this.#change('DELETE', `${path}/b`);
    const page = objectOf(await this.send('GET', `${path}?limit=2`));
    const { continue: token } = page['metadata'] as { continue: string };
    return { path, past, future: String(Number(past) + 1e6), token };
  }

  /** The table as this server has it. `path` is of the lists and watches, with `?` and what they have in common. */
  async fill(table: VersionTable, world: World, path: string): Promise<VersionTable> {
    const rows = Object.keys(table).map(async (query) => {
      const cells = COLUMNS.map((column) => this.#cell(world, join(path, query, column)));
      return [query, await Promise.all(cells)];
    });
    return Object.fromEntries(await Promise.all(rows)) as VersionTable;
  }

  async #cell(world: World, path: string): Promise<string> {
    const filled = path.replace(/\{(\w+)\}/g, (_, name: keyof World) => world[name]);
    const answer = await this.send('GET', filled);
    if (answer.status !== 200) return refusal(answer);
    if (path.includes('watch=')) return watched(answer.body.toString());
    const body = objectOf(answer);
    return Array.isArray(body['items']) ? listed(body, world) : nameOf(body);
  }

  async #change(method: string, path: string, body?: JsonObject): Promise<JsonObject> {
    const answer = await this.send(method, path, body);
    if (answer.status > 299) throw new Error(`${method} ${path}: ${answer.body.toString()}`);
    return objectOf(answer);
  }
}

function join(...parts: string[]): string {
  const [first = '', ...rest] = parts;
  let url = first;
  for (const part of rest) {
    if (part === '') continue;
    if (url.endsWith('/')) url += part;
    else url += `${url.includes('?') ? '&' : '?'}${part}`;
  }
  return url;
}

function objectOf({ body }: Answer): JsonObject {
  return JSON.parse(body.toString()) as JsonObject;
}

function versionOf(object: JsonObject): string {
  return (object['metadata'] as { resourceVersion: string }).resourceVersion;
}

/** An object's name, as a capital once it is changed. */
function nameOf(object: Json | undefined): string {
  const { metadata, data } = object as { metadata: { name: string }; data?: JsonObject };
  return data?.['changed'] === undefined ? metadata.name : metadata.name.toUpperCase();
}

function listed(list: JsonObject, world: World): string {
  const { continue: token, remainingItemCount } = list['metadata'] as Record<string, Json>;
  const names = (list['items'] as Json[]).map(nameOf);
  if (token !== undefined) names.push('|');
  if (remainingItemCount !== undefined) names.push(JSON.stringify(remainingItemCount));
  if (versionOf(list) === world.past) names.push('@past');
  return names.join(' ');
}

const SIGNS: Readonly<Record<string, string>> = { ADDED: '+', MODIFIED: '~', DELETED: '-' };

function watched(text: string): string {
  const told: string[] = [];
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const { type, object } = JSON.parse(line) as { type: string; object: JsonObject };
    const marked = (object['metadata'] as JsonObject)['annotations'] !== undefined;
    if (type !== 'BOOKMARK') told.push(`${SIGNS[type] ?? type}${nameOf(object)}`);
    else if (marked) told.push('!');
  }
  return told.join(' ');
}

/** The code, and what the causes say: the initials of field errors. */
function refusal(answer: Answer): string {
  const { details } = objectOf(answer) as { details?: { causes?: { reason: string; field?: string }[] } };
  const causes = (details?.causes ?? []).map(({ reason, field }) =>
    field === undefined ? reason : reason.replace(/^FieldValue(\w).*/, '$1'),
  );
  return `${answer.status} ${causes.sort().join('')}`.trim();
}
