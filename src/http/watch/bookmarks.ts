import { exactJson } from '../../lib/exact-json.ts';
import { formatGroupVersion, type ApiObject, type ObjectMeta } from '../../meta/object.ts';
import type { Revision } from '../../meta/revision.ts';
import type { ResourceDefinition } from '../../schema/model.ts';
import type { Format } from '../format/format.ts';
import type { Transform } from '../negotiate/negotiator.ts';

/** The names that the naming profile gives to annotations of the bookmark that ends the initial events. */
export interface BookmarkNames {
  readonly initialEventsEnd: string;
  readonly initialEventsListBlueprint: string;
}

/** How a bookmark that ends the initial events shows the list that they make up, without its items. */
export interface Blueprint {
  readonly format: Format;
  readonly transform?: Transform;
  /** The group of PartialObjectMetadata. */
  readonly metaGroup: string;
}

/** An object of the watched kind with nothing but a version: all changes up to there have been sent. */
export function bookmarkObject(resource: ResourceDefinition, revision: Revision): ApiObject {
  const { kind, group, version } = resource;
  const metadata = { resourceVersion: String(revision), creationTimestamp: null };
  return { kind, apiVersion: formatGroupVersion(group, version), metadata };
}

/** What tells a streaming list's client that it has everything (KEP-3157). */
export function endAnnotations(
  resource: ResourceDefinition,
  names: BookmarkNames,
  { format, transform, metaGroup }: Blueprint,
): NonNullable<ObjectMeta['annotations']> {
  const { listKind, group, version } = resource;
  const list =
    transform === undefined
      ? { kind: listKind, apiVersion: formatGroupVersion(group, version) }
      : { kind: 'PartialObjectMetadataList', apiVersion: formatGroupVersion(metaGroup, transform.version) };
  const json = exactJson({ ...list, metadata: {}, items: null });
  return {
    [names.initialEventsEnd]: 'true',
    [names.initialEventsListBlueprint]: format.whole(Buffer.from(`${json}\n`)).toString('base64'),
  };
}
