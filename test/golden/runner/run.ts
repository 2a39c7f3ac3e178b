import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { parse as parseYaml } from 'yaml';
import type { Json } from '../../../src/meta/object.ts';
import { writeBody } from '../../support/protobuf-oracle.ts';
import { cleanUp, createdPath } from './cleanup.ts';
import { httpClient, type Answer, type HttpClient, type HttpRequest } from './http.ts';
import { difference, matchesText } from './match.ts';
import { observe, type Observation } from './observe.ts';
import type { GoldenStep, Scenario } from './scenario.ts';
import { atPointer, substitute, translate } from './text.ts';

export interface Target {
  /** `https://host:port`. */
  server: string;
  /** Bearer token of a user in system:masters. */
  token: string;
  profile: 'orch' | 'kubernetes';
}

/** One exchange that differs from the recorded one. */
export interface Difference {
  /** 1-based. */
  step: number;
  title: string;
  lines: string[];
}

interface Run {
  target: Target;
  http: HttpClient;
  variables: Map<string, string>;
  watches: Map<string, Promise<Answer>>;
  /** Paths to delete afterwards. */
  created: string[];
}

const WATCH_CUT_MS = 12_000;

/** Replays a scenario against a server. @returns the exchanges that differ. */
export async function runScenario(scenario: Scenario, target: Target): Promise<Difference[]> {
  const id = randomBytes(4).toString('hex');
  const run: Run = {
    target,
    http: httpClient(target.server),
    variables: new Map([
      ['ns', `g-${id}-ns`],
      ['id', `g${id}`],
    ]),
    watches: new Map(),
    created: [],
  };
  const namespaces = substitute(scenario.namespaces, run.variables);
  try {
    await makeNamespaces(run, scenario, namespaces);
    const differences: Difference[] = [];
    for (const [index, step] of scenario.steps.entries()) {
      const lines = await runStep(run, step);
      if (lines.length > 0) differences.push({ step: index + 1, title: titleOf(step), lines });
    }
    return differences;
  } finally {
    await cleanUp((method, path, body) => call(run, method, path, body), run.created, namespaces);
    run.http.close();
  }
}

function titleOf(step: GoldenStep): string {
  const what = step.req === undefined ? `collect ${step.collect}` : `${step.req.method} ${step.req.path}`;
  return step.note === undefined ? what : `${what} (${step.note})`;
}

async function makeNamespaces(run: Run, scenario: Scenario, namespaces: string[]): Promise<void> {
  for (const name of namespaces) {
    const labels = translate(scenario.nsLabels, run.target.profile);
    const made = await call(run, 'POST', '/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, labels },
    });
    if (made.status !== 201) throw new Error(`cannot create namespace ${name}: ${made.body.toString()}`);
    if (!scenario.serviceAccount) continue;
    await call(run, 'POST', `/api/v1/namespaces/${name}/serviceaccounts`, {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'default' },
    });
  }
}

function baseHeaders(run: Run): Record<string, string | number> {
  return {
    'User-Agent': 'golden/1.0',
    Accept: 'application/json',
    'Accept-Encoding': 'identity',
    Authorization: `Bearer ${run.target.token}`,
  };
}

function call(run: Run, method: string, path: string, body?: Json): Promise<Answer> {
  const headers = baseHeaders(run);
  if (body === undefined) return run.http.send({ method, path, headers });
  const bytes = Buffer.from(JSON.stringify(body));
  headers['Content-Type'] =
    path.includes('finalize') || method !== 'PATCH' ? 'application/json' : MERGE_PATCH;
  headers['Content-Length'] = bytes.length;
  return run.http.send({ method, path, headers, body: bytes });
}

const MERGE_PATCH = 'application/merge-patch+json';

function requestOf(run: Run, step: GoldenStep & { req: object }): HttpRequest {
  const req = substitute(translate(step.req, run.target.profile), run.variables);
  const headers = baseHeaders(run);
  const body = contentOf(req);
  if (body !== undefined) {
    headers['Content-Type'] = req.proto === undefined ? 'application/json' : protobufType(run.target.profile);
    headers['Content-Length'] = body.length;
  }
  for (const [name, value] of Object.entries(req.headers ?? {})) {
    const existing = Object.keys(headers).find((h) => h.toLowerCase() === name.toLowerCase());
    if (existing !== undefined) delete headers[existing];
    if (value !== null) headers[name] = value;
  }
  return {
    method: req.method,
    path: req.path,
    headers,
    ...(body === undefined ? {} : { body }),
    ...(step.watch === undefined ? {} : { cutAfterMs: WATCH_CUT_MS }),
  };
}

function protobufType(profile: Target['profile']): string {
  return translate('application/vnd.kubernetes.protobuf', profile);
}

function contentOf(req: NonNullable<GoldenStep['req']>): Buffer | undefined {
  if (req.raw !== undefined) return Buffer.from(req.raw);
  if (req.b64 !== undefined) return Buffer.from(req.b64, 'base64');
  if (req.proto !== undefined) return writeBody(req.proto);
  if (req.body === undefined) return undefined;
  if (req.fill === undefined) return Buffer.from(JSON.stringify(req.body));
  const { at, bytes, char = 'x' } = req.fill;
  const body = structuredClone(req.body);
  const last = at.lastIndexOf('/');
  const parent = atPointer(body, at.slice(0, last)) as Record<string, Json>;
  parent[at.slice(last + 1)] = char.repeat(bytes);
  return Buffer.from(JSON.stringify(body));
}

async function runStep(run: Run, step: GoldenStep): Promise<string[]> {
  if (step.sleep !== undefined) await delay(step.sleep);
  if (step.open !== undefined) {
    openWatch(run, step as GoldenStep & { req: object; open: string });
    return [];
  }
  const deadline = Date.now() + (step.poll?.ms ?? 0);
  for (;;) {
    const lines = compare(step, await exchange(run, step), run);
    if (lines.length === 0 || Date.now() >= deadline) return lines;
    await delay(step.poll?.every ?? 150);
  }
}

function openWatch(run: Run, step: GoldenStep & { req: NonNullable<GoldenStep['req']>; open: string }): void {
  run.watches.set(step.open, run.http.send(requestOf(run, step)));
}

async function exchange(run: Run, step: GoldenStep): Promise<Observation> {
  if (step.collect !== undefined) {
    const answer = run.watches.get(step.collect);
    if (answer === undefined) throw new Error(`no watch ${step.collect} was opened`);
    return observe(step, await answer);
  }
  const request = requestOf(run, step as GoldenStep & { req: object });
  const translated = { ...step, ...(step.pick && { pick: translate(step.pick, run.target.profile) }) };
  const seen = observe(translated, await run.http.send(request));
  const path = createdPath(request, seen);
  if (path !== undefined) run.created.push(path);
  for (const [name, pointer] of Object.entries(step.capture ?? {})) {
    const value = atPointer(seen.raw, pointer);
    run.variables.set(
      name,
      typeof value === 'string' ? value : JSON.stringify(value ?? `<uncaptured ${name}>`),
    );
  }
  return seen;
}

/** What is wanted; YAML is compared as the values it stands for, since writers quote differently. */
function expected(step: GoldenStep, run: Run): GoldenStep['res'] {
  const { text, ...res } = substitute(translate(step.res, run.target.profile), run.variables);
  if (text === undefined) return res;
  return step.text === 'yaml' ? { ...res, body: parseYaml(text) as Json } : { ...res, text };
}

function compare(step: GoldenStep, seen: Observation, run: Run): string[] {
  const want = expected(step, run);
  const lines: string[] = [];
  // Where the reference answers a client's fault with 500, a 4xx (504 for a version of the future) is the better answer.
  if (want.status === 500 && ((seen.status >= 400 && seen.status < 500) || seen.status === 504)) return lines;
  if (want.status !== seen.status) {
    lines.push(
      `status: want ${want.status}, got ${seen.status} ${JSON.stringify(atPointer(seen.raw, '/message') ?? '')}`,
    );
  }
  for (const [name, value] of Object.entries(want.headers ?? {})) {
    if (!matchesText(value, seen.headers[name] ?? '')) {
      lines.push(`header ${name}: want ${value}, got ${seen.headers[name]}`);
    }
  }
  if ((want.warnings ?? 0) !== seen.warnings)
    lines.push(`warnings: want ${want.warnings ?? 0}, got ${seen.warnings}`);
  for (const part of ['body', 'events', 'text'] as const) {
    if (want[part] !== undefined) difference(want[part], seen[part], part, lines);
    else if (seen[part] !== undefined && part !== 'text') lines.push(`${part}: unexpected`);
  }
  return lines;
}
