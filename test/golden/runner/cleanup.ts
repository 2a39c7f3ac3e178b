import type { Json } from '../../../src/meta/object.ts';
import type { Answer, HttpRequest } from './http.ts';
import type { Observation } from './observe.ts';
import { atPointer, textAt } from './text.ts';

type Call = (method: string, path: string, body?: Json) => Promise<Answer>;

const NOT_STORED = /Review$|^(Binding|Eviction|TokenRequest)$/;

/** The path of what a request created, if it created something that is stored. */
export function createdPath(request: HttpRequest, seen: Observation): string | undefined {
  if (seen.status !== 201 || request.path.includes('dryRun=')) return undefined;
  const path = request.path.split('?')[0] ?? '';
  if (request.method !== 'POST') return path;
  if (NOT_STORED.test(textAt(seen.raw, '/kind'))) return undefined;
  const name =
    atPointer(seen.raw, '/metadata/name') ??
    atPointer(seen.raw, '/object/metadata/name') ??
    atPointer(seen.raw, '/rows/0/object/metadata/name') ??
    nameSent(request);
  return typeof name === 'string' ? `${path}/${name}` : undefined;
}

function nameSent(request: HttpRequest): Json | undefined {
  try {
    return atPointer(JSON.parse(request.body?.toString() ?? '') as Json, '/metadata/name');
  } catch {
    return undefined;
  }
}

/** Deletes what a scenario made: finalizers are stripped and namespaces finalized, since no controller runs. */
export async function cleanUp(
  call: Call,
  created: readonly string[],
  namespaces: readonly string[],
): Promise<void> {
  for (const path of [...created].reverse()) await remove(call, path);
  for (const name of namespaces) {
    await call('DELETE', `/api/v1/namespaces/${name}/serviceaccounts/default`);
    await remove(call, `/api/v1/namespaces/${name}`);
  }
}

async function remove(call: Call, path: string): Promise<void> {
  const options = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background' };
  const gone = await call('DELETE', `${path}?gracePeriodSeconds=0`, options);
  if (gone.status === 404) return;
  const left = await call('GET', path);
  if (left.status !== 200) return;
  const object = JSON.parse(left.body.toString()) as Json;
  if (atPointer(object, '/metadata/finalizers') !== undefined) {
    await call('PATCH', path, { metadata: { finalizers: null } });
  }
  if (atPointer(object, '/kind') === 'Namespace') {
    await call('PUT', `${path}/finalize`, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: atPointer(object, '/metadata/name') ?? null },
      spec: { finalizers: [] },
    });
  }
}
