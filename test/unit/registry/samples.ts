import { decodeObject } from '../../../src/schema/codec/decode.ts';
import { canonicalObject } from '../../../src/schema/codec/encode.ts';
import { createConverter, type Converter } from '../../../src/registry/convert/converter.ts';
import type { ResourceHooks } from '../../../src/registry/hooks.ts';
import { createHooks } from '../../../src/registry/hooks-table.ts';
import type { ApiObject, Json, JsonObject } from '../../../src/meta/object.ts';
import type { NamingProfile, ProfileName } from '../../../src/names/profile.ts';
import type { ResourceDefinition, SchemaRegistry } from '../../../src/schema/model.ts';
import { translate } from '../../golden/runner/text.ts';
import { openSchemas, readFact } from '../../support/schemas.ts';

/** An object as it was sent to the reference server, and what that added to it. */
export interface Sample {
  readonly title: string;
  readonly resource: ResourceDefinition;
  readonly sent: JsonObject;
  readonly filledIn: Readonly<Record<string, Json>>;
}

/** The facts' samples in the names of a profile, and what it takes to complete them. */
export interface Samples {
  readonly registry: SchemaRegistry;
  readonly names: NamingProfile;
  readonly hooksOf: (resource: ResourceDefinition) => ResourceHooks;
  readonly convert: Converter;
  /** Every sample whose kind is served. */
  readonly samples: () => Sample[];
  /** A sample as the write path makes it, metadata apart. */
  readonly completed: (sample: Sample) => ApiObject;
}

export const NOW = Date.parse('2026-11-20T18:57:21Z');

type DefaultFacts = Record<string, { sent?: JsonObject; filledIn?: Record<string, Json> }>;

export function openSamples(profile: ProfileName): Samples {
  const { registry, names } = openSchemas(profile, 'all');
  const hooksOf = createHooks(names);
  return {
    registry,
    names,
    hooksOf,
    convert: createConverter(names),
    samples() {
      const facts = translate(readFact<DefaultFacts>('defaults.json'), profile);
      return Object.entries(facts).flatMap(([title, { sent, filledIn }]) => {
        const [gvk = ''] = title.split(' ');
        const [kind = '', version = '', group = ''] = gvk.split('/').reverse();
        const resource = registry.resourceForKind(group, version, kind);
        return resource === undefined || sent === undefined
          ? []
          : [{ title, resource, sent: whole(sent), filledIn: filledIn ?? {} }];
      });
    },
    completed: (sample) => completeSample(sample, hooksOf),
  };
}

/** A sample with something in the place of what the recording left out. */
function whole(sent: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(sent).replace('"<csr>"', '"Y3Ny"')) as JsonObject;
}

function completeSample({ resource, sent }: Sample, hooksOf: Samples['hooksOf']): ApiObject {
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

export const { registry, names, hooksOf, convert, samples, completed } = openSamples('kubernetes');
