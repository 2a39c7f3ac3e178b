import { ApiError } from '../errors/api-error.ts';
import { alreadyExistsError, badRequestError } from '../errors/status-errors.ts';
import type { ApiObject } from '../meta/object.ts';
import { parseRevision, ZERO_REVISION } from '../meta/revision.ts';
import { readObject } from './body.ts';
import type { VerbTools } from './dependencies.ts';
import { readWriteOptions } from './options/write-options.ts';
import type { VerbHandler, VerbRequest, VerbResult } from './result.ts';
import { orDisowned } from './write/disowned.ts';
import { Held } from './write/held.ts';
import { completeNewObject } from './write/new-object.ts';
import { ownChanges } from './write/ownership.ts';
import { ttlOf } from './write/ttl.ts';
import { settingsOf, type Writing } from './write/writing.ts';

/** How often a generated name that is taken is replaced by another. */
const NAME_ATTEMPTS = 8;

/** POST to a collection. */
export function createCreate(dependencies: VerbTools): VerbHandler {
  const { metaGroup } = dependencies;
  return async function create(request) {
    const { context } = request;
    const { query, userAgent } = context;
    const options = readWriteOptions('CreateOptions', { query, userAgent, metaGroup });
    const now = dependencies.clock.now();
    const writing: Writing = { dependencies, request, options, part: '', now, own: ownChanges };
    const body = await readObject(context, request.resource, settingsOf(writing));
    let first: ApiObject | undefined = body.take();
    refuseVersion(first);
    const { name, generateName } = first.metadata;
    const storeOnce = (): Promise<VerbResult> =>
      orDisowned(writing, (asked) => {
        const object = first ?? body.take();
        first = undefined;
        return store(asked, object);
      });
    if (name || !generateName) return storeOnce();
    for (let attempt = 1; ; attempt++) {
      try {
        return await storeOnce();
      } catch (error) {
        if (!(error instanceof ApiError) || error.reason !== 'AlreadyExists') throw error;
        if (attempt === NAME_ATTEMPTS) throw noFreeNameError(request, error);
      }
    }
  };
}

async function store(writing: Writing, object: ApiObject): Promise<VerbResult> {
  const held = new Held();
  let sent = false;
  try {
    await completeNewObject(writing, object, held);
    sent = true;
    const result = await storeNew(writing, object);
    await held.commit();
    return result;
  } catch (error) {
    await (sent ? held.failed(error) : held.undo());
    throw error;
  }
}

async function storeNew(writing: Writing, object: ApiObject): Promise<VerbResult> {
  const { dependencies, request, options } = writing;
  const { resource, context } = request;
  if (options.dryRun) {
    await refuseTakenName(writing, object);
    return { kind: 'object', status: 201, resource, object };
  }
  const ttlSeconds = ttlOf(writing);
  const entry = await dependencies.store.create({
    resource,
    object,
    signal: context.signal,
    ...(ttlSeconds === undefined ? {} : { ttlSeconds }),
  });
  return { kind: 'entry', status: 201, resource, entry };
}

/** A dry run finds out that a name is taken by looking. */
async function refuseTakenName({ dependencies, request }: Writing, object: ApiObject): Promise<void> {
  const { resource, namespace, context } = request;
  const name = object.metadata.name ?? '';
  try {
    await dependencies.store.get({ resource, namespace, name, at: { at: 'latest' }, signal: context.signal });
  } catch (error) {
    if (error instanceof ApiError && error.reason === 'NotFound') return;
    throw error;
  }
  throw alreadyExistsError(resource, name);
}

function refuseVersion(object: ApiObject): void {
  const version = object.metadata.resourceVersion ?? '';
  if (version === '' || parseRevision(version) === ZERO_REVISION) return;
  throw badRequestError('metadata.resourceVersion must not be set on an object that is to be created');
}

function noFreeNameError({ resource }: VerbRequest, cause: ApiError): ApiError {
  return new ApiError(
    'AlreadyExists',
    `${resource.resource}: no free name was found in ${NAME_ATTEMPTS} attempts, try again`,
    { details: { ...cause.details, retryAfterSeconds: 1 }, cause },
  );
}
