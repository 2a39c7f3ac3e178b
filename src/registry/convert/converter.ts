import { formatGroupVersion, type ApiObject } from '../../meta/object.ts';
import type { NamingProfile } from '../../names/profile.ts';
import { canonicalObject } from '../../schema/codec/encode.ts';
import type { ResourceDefinition } from '../../schema/model.ts';
import { kindKey } from '../kind-key.ts';
import { autoscalerConverter } from './autoscaler.ts';
import { definitionToV1 } from './custom-resource-definition.ts';
import { convertResourceSlice } from './device.ts';
import { convertEvent } from './event.ts';
import { removedVersions } from './removed-versions.ts';

/** A version of a kind. */
export type Version = Pick<ResourceDefinition, 'group' | 'version' | 'kind'>;

/** Takes an object to another version of its kind, in place; fields that differ are renamed and moved. */
export type Converter = (object: ApiObject, to: ResourceDefinition) => ApiObject;

/** Conversions of the built-in kinds: most versions of a kind have the same fields. */
export function createConverter(names: NamingProfile): Converter {
  const converters = new Map<string, (object: ApiObject, to: ResourceDefinition) => void>([
    ...removedVersions(names),
    ['apiextensions.CustomResourceDefinition', definitionToV1],
    ['core.Event', (event, to) => convertEvent(event, to.group === '' ? 'core' : 'events')],
    ['resource.ResourceSlice', (slice, to) => convertResourceSlice(slice, to.version)],
    ['autoscaling.HorizontalPodAutoscaler', autoscalerConverter(names)],
  ]);
  return function convert(object, to) {
    const apiVersion = formatGroupVersion(to.group, to.version);
    if (object.apiVersion === apiVersion) return object;
    const change = converters.get(kindKey(to) ?? '');
    change?.(object, to);
    object.apiVersion = apiVersion;
    object.kind = to.kind;
    // Fields that both versions have may be left out in one of them when they are zero.
    return change === undefined ? object : canonicalObject(to.type, object);
  };
}
