import { pathNotFoundError } from '../errors/status-errors.ts';
import { createConnect, createGetText } from './connect.ts';
import { createCreate } from './create.ts';
import { createForNamed, createPart } from './create-part.ts';
import { createDeleteCollection } from './delete-collection.ts';
import { createDelete } from './delete.ts';
import { verbTools, type VerbDependencies } from './dependencies.ts';
import { createGet } from './get.ts';
import { createList } from './list.ts';
import { createPatch } from './patch.ts';
import type { VerbHandler, VerbRequest } from './result.ts';
import { createReview } from './review.ts';
import { createScale } from './scale.ts';
import { createUpdate } from './update.ts';
import { createVirtualGet, createVirtualList } from './virtual.ts';
import { createWatch } from './watch.ts';

/** Handlers by the interface's verb. */
export type Verbs = Readonly<Record<string, VerbHandler>>;

/** Makes the handlers of every verb. Which resource has which verb is its row's matter, and was checked before. */
export function createVerbs(dependencies: VerbDependencies): Verbs {
  const tools = verbTools(dependencies);
  const part = createPart(tools);
  const scale = createScale(tools);
  const get = createGet(tools);
  const update = createUpdate(tools);
  const patch = createPatch(tools);
  return {
    list: stored(createList(tools), createVirtualList(tools)),
    watch: stored(createWatch(tools)),
    create: stored(
      itselfOrPart(createCreate(tools), part),
      onlyItself(createForNamed(tools, part, createReview(tools))),
    ),
    delete: stored(onlyItself(createDelete(tools))),
    deletecollection: stored(createDeleteCollection(tools)),
    connect: stored(createConnect(tools)),
    get: stored(
      bySubresource(get, {
        status: get,
        approval: get,
        ephemeralcontainers: get,
        resize: get,
        scale: scale.get,
        log: createGetText(tools),
      }),
      createVirtualGet(tools),
    ),
    update: stored(
      bySubresource(update, {
        ...{
          status: update,
          finalize: update,
          approval: update,
          ephemeralcontainers: update,
          resize: update,
        },
        scale: scale.update,
      }),
    ),
    patch: stored(
      bySubresource(patch, {
        ...{ status: patch, approval: patch, ephemeralcontainers: patch, resize: patch },
        scale: scale.patch,
      }),
    ),
  };
}

/** Chooses a handler by the request's subresource. What stands in no table yet is not found. */
function bySubresource(itself: VerbHandler, others: Readonly<Record<string, VerbHandler>>): VerbHandler {
  return function chooseHandler(request) {
    const name = request.subresource?.name;
    if (name === undefined) return itself(request);
    const handler = Object.hasOwn(others, name) ? others[name] : undefined;
    return handler === undefined ? refuse() : handler(request);
  };
}

function itselfOrPart(itself: VerbHandler, part: VerbHandler): VerbHandler {
  return (request) => (request.subresource === undefined ? itself(request) : part(request));
}

function onlyItself(itself: VerbHandler): VerbHandler {
  return bySubresource(itself, {});
}

/** Kinds that aren't stored have verbs of their own; without one there is nothing at the path. */
function stored(handler: VerbHandler, virtual: VerbHandler = refuse): VerbHandler {
  return function chooseByStorage(request: VerbRequest) {
    return request.resource.storage === undefined ? virtual(request) : handler(request);
  };
}

function refuse(): Promise<never> {
  return Promise.reject(pathNotFoundError());
}
