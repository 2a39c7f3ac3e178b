import { parse as parseYaml } from 'yaml';
import type { Json, JsonObject } from '../../../src/meta/object.ts';
import { readBody, readEvents } from '../../support/protobuf-oracle.ts';
import type { Answer } from './http.ts';
import type { GoldenStep } from './scenario.ts';
import { atPointer, textAt } from './text.ts';

/** An answer in the corpus's own form, ready to be compared. */
export interface Observation {
  status: number;
  headers: Record<string, string>;
  warnings: number;
  body?: Json;
  events?: Json;
  text?: string;
  /** The parsed body, for captures. */
  raw: Json | undefined;
}

const COMPARED_HEADERS = [
  'content-type',
  'location',
  'allow',
  'retry-after',
  'www-authenticate',
  'cache-control',
  'content-encoding',
  'x-content-type-options',
];

/** Human texts are compared only for being there. */
const MESSAGE = '<<msg>>';

/** Brings an answer into the form in which the corpus was recorded. */
export function observe(step: GoldenStep, answer: Answer): Observation {
  const headers: Record<string, string> = {};
  for (const name of COMPARED_HEADERS) {
    const value = answer.headers[name];
    if (value !== undefined) headers[name] = String(value);
  }
  const seen: Observation = {
    status: answer.status,
    headers,
    warnings: countWarnings(answer),
    raw: undefined,
  };
  const streamed = step.watch !== undefined || step.collect !== undefined;
  if (streamed && answer.status === 200) observeEvents(answer, seen);
  else observeBody(step, answer, seen);
  if (step.pick !== undefined && seen.body !== undefined) seen.body = pick(seen.body, step.pick);
  if (step.noBody) {
    delete seen.body;
    delete seen.text;
  }
  return seen;
}

function countWarnings(answer: Answer): number {
  return answer.rawHeaders.filter((h, i) => i % 2 === 0 && h.toLowerCase() === 'warning').length;
}

function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function observeEvents(answer: Answer, seen: Observation): void {
  const events = isProtobuf(seen) ? readEvents(answer.body) : jsonEvents(answer.body.toString());
  seen.raw = { events };
  seen.events = shape(events.filter((e) => !isPlainBookmark(e)));
}

function jsonEvents(text: string): Json[] {
  const lines = text.split('\n').filter((l) => l.trim() !== '');
  return lines.map((l) => parseJson(l) ?? { '<<bad-json>>': l.slice(0, 100) });
}

function isProtobuf({ headers }: Observation): boolean {
  return /vnd\.\w+\.protobuf/.test(headers['content-type'] ?? '');
}

/** Bookmarks come at no guaranteed interval; only the one that ends the initial events is compared. */
function isPlainBookmark(event: Json): boolean {
  if (atPointer(event, '/type') !== 'BOOKMARK') return false;
  const annotations = atPointer(event, '/object/metadata/annotations') ?? {};
  return !Object.keys(annotations).some((name) => name.endsWith('initial-events-end'));
}

function observeBody(step: GoldenStep, answer: Answer, seen: Observation): void {
  const text = answer.body.toString();
  const json = parseBody(answer.body, seen);
  if (json !== undefined) {
    seen.raw = json;
    seen.body = shape(json);
  } else if (text !== '') {
    seen.text = step.text === undefined ? MESSAGE : text;
    if (step.text === 'yaml') seen.body = parseYaml(text) as Json;
  }
}

function parseBody(body: Buffer, seen: Observation): Json | undefined {
  if (isProtobuf(seen)) return readBody(body);
  return (seen.headers['content-type'] ?? '').includes('json') ? parseJson(body.toString()) : undefined;
}

function pick(body: Json, pointers: readonly string[]): JsonObject {
  return Object.fromEntries(pointers.map((p) => [p, atPointer(body, p) ?? nullOrAbsent(body, p)]));
}

function nullOrAbsent(body: Json, pointer: string): Json {
  return atPointer(body, pointer) === null ? null : '<<absent>>';
}

/** Replaces human texts and sorts what has no order: causes and managedFields. */
function shape(value: Json, key = '', parent = ''): Json {
  if (Array.isArray(value)) return sorted(value, key).map((v) => shape(v, '', key));
  if (value === null || typeof value !== 'object') return value;
  const isStatus = value['kind'] === 'Status' && value['apiVersion'] === 'v1';
  const human = isStatus || parent === 'causes' || parent === 'conditions';
  return Object.fromEntries(
    Object.entries(value).map(([k, v]) => {
      if (k === 'message' && human && typeof v === 'string' && v !== '') return [k, MESSAGE];
      return [k, shape(v ?? null, k, k)];
    }),
  );
}

const SORT_KEYS: Readonly<Record<string, readonly string[]>> = {
  managedFields: ['manager', 'operation', 'subresource', 'apiVersion'],
  causes: ['field', 'reason', 'message'],
};

function sorted(items: Json[], key: string): Json[] {
  const fields = SORT_KEYS[key];
  if (fields === undefined) return items;
  const rank = (item: Json): string => fields.map((f) => textAt(item, `/${f}`)).join('|');
  return [...items].sort((a, b) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0));
}
