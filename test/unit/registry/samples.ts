import { decodeObject } from '../../../src/schema/codec/decode.ts';
import { canonicalObject } from '../../../src/schema/codec/encode.ts';
import { createConverter } from '../../../src/registry/convert/converter.ts';
import { createHooks } from '../../../src/registry/hooks-table.ts';
import type { ApiObject, Json, JsonObject } from '../../../src/meta/object.ts';
import type { ResourceDefinition } from '../../../src/schema/model.ts';
import { openSchemas, readFact } from '../../support/schemas.ts';

/** An object as it was sent to the reference server, and what that added to it. */
export interface Sample {
  readonly title: string;
  readonly resource: ResourceDefinition;
  readonly sent: JsonObject;
  readonly filledIn: Readonly<Record<string, Json>>;
}

export const NOW = Date.parse('2026-11-20T18:57:21Z');

const { registry, names } = openSchemas('kubernetes', 'all');
export const hooksOf = createHooks(names);
export const convert = createConverter(names);
export { names, registry };

/** Every sample of the facts whose kind is served. */
export function samples(): Sample[] {
  const facts =
    readFact<Record<string, { sent?: JsonObject; filledIn?: Record<string, Json> }>>('defaults.json');
  return Object.entries(facts).flatMap(([title, { sent, filledIn }]) => {
    const [gvk = ''] = title.split(' ');
    const parts = gvk.split('/');
    const [kind = '', version = '', group = ''] = parts.reverse();
    const resource = registry.resourceForKind(group, version, kind);
    return resource === undefined || sent === undefined
      ? []
      : [{ title, resource, sent, filledIn: filledIn ?? {} }];
  });
}

/** A sample as the write path makes it, metadata apart. */
export function completed({ resource, sent }: Sample): ApiObject {
  const { object } = decodeObject(resource.type, sent);
  const hooks = hooksOf(resource);
  object.apiVersion = resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;
  object.kind = resource.kind;
  hooks.defaults?.(object);
  object.metadata.uid = 'probe-uid';
  if (resource.subresources.has('status') && hooks.keepsStatusOnCreate !== true && 'status' in object) {
    object.status = {};
  }
  hooks.prepareForCreate?.(object, {
    now: NOW,
    user: { name: 'admin', uid: 'admin-uid', groups: ['system:masters', 'system:authenticated'], extra: {} },
  });
  return canonicalObject(resource.type, object);
}
