import {
  cborEncoding,
  protobufEncoding,
  TEXT_ENCODINGS,
  type Encoding,
} from '../http/negotiate/encodings.ts';
import type { FormSources } from '../http/respond/forms.ts';
import type { Item } from '../http/respond/views.ts';
import type { ApiObject } from '../meta/object.ts';
import { createRowMaker } from '../registry/cells/cells.ts';
import { rowOrderOf } from '../registry/cells/order.ts';
import { DocumentTypes } from '../schema/document-types.ts';
import type { ResourceDefinition } from '../schema/model.ts';
import { ProtobufDocuments } from '../schema/protobuf/documents.ts';
import type { ObjectStore } from '../store/object-store.ts';
import type { ControlPlaneParts } from './control-plane-parts.ts';
import type { Kinds } from './kinds.ts';

/** The gate of requests and answers in CBOR. */
export const CBOR_GATE = 'CBORServingAndStorage';

/** What answers are made of. */
export interface Answers {
  readonly forms: Omit<FormSources, 'metaGroup'>;
  readonly encodings: readonly Encoding[];
}

/** Objects go out from the bytes that the store has of them, wherever it has those. */
export function openAnswers(parts: ControlPlaneParts, kinds: Kinds, store: ObjectStore): Answers {
  const { config, names, schemas, clock } = parts;
  const { codec, storedVersion } = kinds;
  const makeRow = createRowMaker(names);
  const asStored = (resource: ResourceDefinition, item: Item): ApiObject => {
    const stored = storedVersion(resource);
    return 'object' in item ? codec.convert(item.object, resource, stored) : store.decode(item.entry, stored);
  };
  const types = new DocumentTypes(schemas, names.get('group.meta'));
  const documents = new ProtobufDocuments(types);
  return {
    encodings: [
      ...TEXT_ENCODINGS,
      protobufEncoding(names.get('mediaType.protobuf'), (json) => documents.encode(json)),
      ...(config.gates.enabled(CBOR_GATE) ? [cborEncoding(types)] : []),
    ],
    forms: {
      encoding: (entry, resource) => store.encoding(entry, resource),
      row: (resource, item) => makeRow(resource, asStored(resource, item), clock.now()),
      rowOrder(resource, entries) {
        const order = rowOrderOf(resource);
        if (order === undefined) return entries;
        const stored = storedVersion(resource);
        return entries
          .map((entry) => ({ entry, object: store.decode(entry, stored) }))
          .sort((a, b) => order(a.object, b.object))
          .map(({ entry }) => entry);
      },
      encodeObject: (object, resource) => codec.encode(object, resource),
      messages: {
        of: (entry, resource) => store.message(entry, resource),
        lengthOf: (entry, resource) => store.messageLength(entry, resource),
        listMetadata: (json) => documents.listMetadata(json),
      },
    },
  };
}
