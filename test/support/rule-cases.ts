import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../src/meta/object.ts';
import { applyJsonPatch } from '../../src/schema/patch/json-patch.ts';

/** One write, and what the reference answers. */
export interface RuleCase {
  readonly title: string;
  /** A JSON patch: of the group's object for a new one, or of what is stored for an update. */
  readonly patch: JsonObject[];
  /** Writes to this subresource. */
  readonly subresource?: string;
  /**
   * `created`, `changed` or `unchanged` (all but metadata), or status and causes: `422 Invalid spec.a, Required spec.b`,
   * sorted.
   */
  readonly want: string;
}

/** Writes of one kind that are told about together. Nothing but the object itself is ever stored. */
export interface RuleGroup {
  readonly title: string;
  /** The resource's collection. */
  readonly path: string;
  /** What the patches change. */
  readonly object: JsonObject;
  /** Whether the object is stored and the patches are updates of it; patches of objects to create otherwise. */
  readonly stored: boolean;
  /** Its status, written once it is stored. */
  readonly status?: JsonObject;
  readonly cases: readonly RuleCase[];
}

interface Reply {
  readonly status: number;
  readonly object: JsonObject;
}

/** Makes a request, such as `PUT /api/v1/…`. */
export type Ask = (line: string, body?: JsonObject) => Promise<Reply>;

/** A file of recorded writes, in `kubernetes` names. */
export function readRuleGroups(name: string): RuleGroup[] {
  const path = join(import.meta.dirname, '..', 'fixtures', 'rules', `${name}.json`);
  return JSON.parse(readFileSync(path, 'utf8')) as RuleGroup[];
}

/** Replays a group against a server: what came of each case. A stored object is deleted afterwards. */
export async function replay(group: RuleGroup, ask: Ask): Promise<string[]> {
  const { path, object, stored, cases } = group;
  const results: string[] = [];
  if (!stored) {
    for (const { patch } of cases) {
      const reply = await ask(`POST ${path}?dryRun=All`, patched(object, patch));
      results.push(reply.status < 300 ? 'created' : outcome(reply));
    }
    return results;
  }
  const target = await store(group, ask);
  for (const { patch, subresource } of cases) {
    const { object: before } = await ask(`GET ${target}`);
    const where = subresource === undefined ? target : `${target}/${subresource}`;
    const reply = await ask(`PUT ${where}?dryRun=All`, patched(before, patch));
    if (reply.status >= 300) results.push(outcome(reply));
    else results.push(isDeepStrictEqual(content(before), content(reply.object)) ? 'unchanged' : 'changed');
  }
  await ask(`DELETE ${target}?gracePeriodSeconds=0&propagationPolicy=Background`);
  return results;
}

/** Patches change what they are given. */
function patched(object: JsonObject, patch: JsonObject[]): JsonObject {
  return applyJsonPatch(structuredClone(object), structuredClone(patch)) as JsonObject;
}

async function store({ path, object, status, title }: RuleGroup, ask: Ask): Promise<string> {
  const made = await ask(`POST ${path}`, object);
  if (made.status !== 201) throw new Error(`${title}: ${JSON.stringify(made.object)}`);
  const target = `${path}/${(made.object['metadata'] as { name: string }).name}`;
  if (status === undefined) return target;
  const written = await ask(`PUT ${target}/status`, { ...made.object, status });
  if (written.status !== 200) throw new Error(`${title}: ${JSON.stringify(written.object)}`);
  return target;
}

function content({ metadata: _, ...rest }: JsonObject): unknown {
  return JSON.parse(JSON.stringify(rest));
}

function outcome({ status, object }: Reply): string {
  const details = object['details'] as { causes?: { reason?: string; field?: string }[] } | undefined;
  const causes = details?.causes?.map(
    ({ reason = '', field = '' }) => `${reason.replace('FieldValue', '')} ${field}`,
  );
  const { reason = '' } = object as { reason?: string };
  return `${status} ${status === 422 && causes !== undefined ? causes.sort().join(', ') : reason}`;
}
