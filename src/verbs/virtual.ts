import { notFoundError } from '../errors/status-errors.ts';
import { formatGroupVersion, type ApiObject } from '../meta/object.ts';
import { ZERO_REVISION } from '../meta/revision.ts';
import type { VirtualObjects } from '../registry/hooks.ts';
import { decodeObject } from '../schema/codec/decode.ts';
import { encodeObject } from '../schema/codec/encode.ts';
import type { ResourceDefinition } from '../schema/model.ts';
import { itemStartOf } from '../store/codec.ts';
import type { EncodedObject, StoredEntry } from '../store/object-store.ts';
import type { VerbTools } from './dependencies.ts';
import { createFilter } from './filter.ts';
import { checkListOptions, readListOptions } from './options/list-options.ts';
import type { VerbHandler, VerbRequest } from './result.ts';

/** GET of an object that is made for the answer. */
export function createVirtualGet({ hooksOf }: VerbTools): VerbHandler {
  return async function getVirtual({ context, resource, name }) {
    const { virtual } = hooksOf(resource);
    if (virtual?.names.includes(name) !== true) throw notFoundError(resource, name);
    const object = await make(virtual, { resource, name, signal: context.signal });
    return { kind: 'object', status: 200, resource, object };
  };
}

/** GET of a collection whose objects are made for the answer. It has no version and no pages. */
export function createVirtualList({ hooksOf, metaGroup }: VerbTools): VerbHandler {
  return async function listVirtual(request) {
    const { context, resource } = request;
    const hooks = hooksOf(resource);
    const options = readListOptions(context.query);
    checkListOptions(options, metaGroup);
    const filter = createFilter({ resource, hooks }, options);
    const all = hooks.virtual === undefined ? [] : await makeAll(hooks.virtual, request);
    const entries = filter === undefined ? all : all.filter((entry) => filter.matches(entry));
    return { kind: 'list', resource, page: { revision: ZERO_REVISION, entries } };
  };
}

function makeAll(virtual: VirtualObjects, { resource, context }: VerbRequest): Promise<VirtualEntry[]> {
  const { signal } = context;
  return Promise.all(
    virtual.names.map(
      async (name) => new VirtualEntry(resource, await make(virtual, { resource, name, signal })),
    ),
  );
}

async function make(
  virtual: VirtualObjects,
  { resource, name, signal }: { resource: ResourceDefinition; name: string; signal: AbortSignal },
): Promise<ApiObject> {
  const made = await virtual.read(name, signal);
  const { kind, group, version } = resource;
  return decodeObject(resource.type, { kind, apiVersion: formatGroupVersion(group, version), ...made })
    .object;
}

/** An object that no store has, in the shape of those that one has. */
export class VirtualEntry implements StoredEntry {
  readonly namespace: string;
  readonly name: string;
  readonly uid = '';
  readonly revision = ZERO_REVISION;
  readonly createRevision = ZERO_REVISION;
  readonly labels: StoredEntry['labels'];
  readonly ties = undefined;
  readonly #resource: ResourceDefinition;
  readonly #object: ApiObject;

  constructor(resource: ResourceDefinition, object: ApiObject) {
    this.namespace = object.metadata.namespace ?? '';
    this.name = object.metadata.name ?? '';
    this.labels = object.metadata.labels;
    this.#resource = resource;
    this.#object = object;
  }

  /** Nothing but its metadata can be selected by. */
  field(path: string): string {
    if (path === 'metadata.name') return this.name;
    return path === 'metadata.namespace' ? this.namespace : '';
  }

  bytes(): EncodedObject {
    const bytes = Buffer.from(encodeObject(this.#resource.type, this.#object));
    return { bytes, itemStart: itemStartOf(this.#resource) };
  }

  mentions(text: Buffer): boolean {
    return this.bytes().bytes.includes(text);
  }

  object(): ApiObject {
    return decodeObject(this.#resource.type, this.#object).object;
  }
}
