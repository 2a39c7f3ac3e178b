import { forbidden, invalid, type FieldError } from '../../errors/field-error.ts';
import { objectAt, textAt } from '../../meta/fields.ts';
import type { ApiObject, Json, JsonObject } from '../../meta/object.ts';
import { compareQuantities, ZERO_QUANTITY } from '../../meta/quantity-amounts.ts';
import { parseQuantity, type Quantity } from '../../meta/quantity.ts';
import { sameJson } from '../../meta/same-json.ts';

/**
 * What an update of a PersistentVolumeClaim may not do. A claim gets its volume once, and a bound one may ask for more
 * storage, or for less while it is being expanded; all else stays. The paths are those that clients know.
 */
export function claimChangeErrors(claim: ApiObject, old: ApiObject, classAnnotation: string): FieldError[] {
  const errors: FieldError[] = [];
  const spec: JsonObject = { ...objectAt(claim, 'spec') };
  const before: JsonObject = { ...objectAt(old, 'spec') };
  if (textAt(before, 'volumeName') === '') before['volumeName'] = spec['volumeName'] ?? '';
  if (textAt(spec, 'volumeName') === '') spec['volumeName'] = '';
  errors.push(...checkClass({ claim, old, spec, before }, classAnnotation));
  if (objectAt(claim, 'status')?.['phase'] === 'Bound') takeRequest(spec, before);
  if (!sameJson(spec, before)) {
    errors.push(
      forbidden('spec', 'a claim stays as it is; a bound one may ask for other amounts of storage'),
    );
  }
  errors.push(...shrinkErrors(claim, old));
  const { volumeMode } = objectAt(claim, 'spec') ?? {};
  if (!sameJson(volumeMode, before['volumeMode']))
    errors.push(invalid('volumeMode', volumeMode, 'field is immutable'));
  return errors;
}

interface Change {
  readonly claim: ApiObject;
  readonly old: ApiObject;
  /** The specs, which are compared in the end. */
  readonly spec: JsonObject;
  readonly before: JsonObject;
}

/** A class may be named where there was none: the one that an annotation named before there was the field, if any. */
function checkClass({ claim, old, spec, before }: Change, annotation: string): FieldError[] {
  const now = claim.metadata.annotations?.[annotation];
  const named = old.metadata.annotations?.[annotation];
  const wanted = spec['storageClassName'];
  const isNew = typeof wanted === 'string' && before['storageClassName'] === undefined;
  if (isNew && (named === undefined || named === wanted)) before['storageClassName'] = wanted;
  const isMoved = isNew && named === wanted && (now === undefined || now === named);
  if (isMoved || (now ?? '') === (named ?? '')) return [];
  return [invalid(`metadata.annotations.${annotation}`, now, 'field is immutable')];
}

/** Takes for the same what bound claims may change. */
function takeRequest(spec: JsonObject, before: JsonObject): void {
  const resources = objectAt(spec, 'resources');
  const requests = objectAt(resources, 'requests');
  const old = objectAt(objectAt(before, 'resources'), 'requests')?.['storage'];
  if (requests !== undefined && old !== undefined)
    spec['resources'] = { ...resources, requests: { ...requests, storage: old } };
  if (spec['volumeAttributesClassName'] !== undefined && before['volumeAttributesClassName'] !== undefined)
    spec['volumeAttributesClassName'] = before['volumeAttributesClassName'];
}

/** What a volume has already can't be given back. */
function shrinkErrors(claim: ApiObject, old: ApiObject): FieldError[] {
  const request = (object: ApiObject): Quantity =>
    read(objectAt(objectAt(objectAt(object, 'spec'), 'resources'), 'requests')?.['storage']);
  const size = request(claim);
  const has = read(objectAt(objectAt(old, 'status'), 'capacity')?.['storage']);
  if (compareQuantities(size, request(old)) >= 0 || compareQuantities(size, has) > 0) return [];
  return [forbidden('spec.resources.requests.storage', 'must be more than the volume has, status.capacity')];
}

function read(amount: Json | undefined): Quantity {
  return (typeof amount === 'string' ? parseQuantity(amount) : undefined) ?? ZERO_QUANTITY;
}
