import { forbidden, required, type FieldError } from '../../errors/field-error.ts';
import type { FieldPath } from '../../errors/field-path.ts';
import { isObject, objectAt, objectsAt, sizeOf } from '../../meta/fields.ts';
import type { JsonObject } from '../../meta/object.ts';
import { sameJson } from '../../meta/same-json.ts';
import type { SchemaTerms } from './terms.ts';

const JUNCTORS = ['allOf', 'anyOf', 'oneOf'] as const;
/** How a schema may say that a value is a number or a text. */
const INT_OR_STRING = [{ type: 'integer' }, { type: 'string' }];

interface Conditions {
  readonly at: FieldPath;
  readonly terms: SchemaTerms;
  readonly errors: FieldError[];
}

/** Checks that the conditions of a schema say nothing that makes a schema: no types, defaults, extensions. */
export function checkConditions(schema: JsonObject, { at, ...context }: Conditions): void {
  const [first] = objectsAt(schema, 'allOf');
  for (const [condition, path] of conditionsOf(schema, at)) {
    if (isIntOrString(schema) && objectsAt(schema, 'anyOf').includes(condition)) continue;
    checkCondition(condition, {
      at: path,
      ...context,
      skipsTypes: condition === first && isIntOrString(condition),
    });
  }
}

function isIntOrString(schema: JsonObject): boolean {
  return sameJson(schema['anyOf'], INT_OR_STRING);
}

/** The schemas under `allOf`, `anyOf`, `oneOf` and `not`, and where they are. */
function* conditionsOf(schema: JsonObject, at: FieldPath): Generator<[JsonObject, FieldPath]> {
  for (const junctor of JUNCTORS)
    for (const [i, condition] of objectsAt(schema, junctor).entries())
      yield [condition, at.child(junctor).index(i)];
  const not = objectAt(schema, 'not');
  if (not !== undefined) yield [not, at.child('not')];
}

function checkCondition(
  condition: JsonObject,
  { at, skipsTypes = false, ...context }: Conditions & { readonly skipsTypes?: boolean },
): void {
  const { terms, errors } = context;
  for (const [inner, path] of conditionsOf(condition, at))
    if (!skipsTypes || !objectsAt(condition, 'anyOf').includes(inner))
      checkCondition(inner, { at: path, ...context });
  const items = objectAt(condition, 'items');
  if (items !== undefined) checkCondition(items, { at: at.child('items'), ...context });
  const properties = at.child('properties');
  for (const [name, field] of Object.entries(objectAt(condition, 'properties') ?? {}))
    if (isObject(field)) checkCondition(field, { at: properties.key(name), ...context });
  for (const field of structureFields(terms))
    if (isSaid(condition, field)) errors.push(forbidden(at.child(field), 'a condition says nothing of it'));
  if (condition['additionalProperties'] !== undefined && condition['additionalProperties'] !== false)
    errors.push(forbidden(at.child('additionalProperties'), 'a condition says nothing of it'));
  if (objectAt(condition, 'properties')?.['metadata'] !== undefined)
    errors.push(forbidden(properties.key('metadata'), 'a condition says nothing of it'));
}

/** What is said outside of conditions only. */
function structureFields(terms: SchemaTerms): string[] {
  const { preserve, embedded, intOrString, listKeys, listType, mapType, validations } = terms;
  const extensions = [preserve, embedded, intOrString, listKeys, listType, mapType, validations];
  return ['type', 'default', 'title', 'description', 'nullable', ...extensions];
}

function isSaid(schema: JsonObject, field: string): boolean {
  const value = schema[field];
  if (value === undefined || value === null || value === '' || value === false) return false;
  return !Array.isArray(value) || sizeOf(value) > 0;
}

interface Known {
  /** Where the structure is, and where the condition is. */
  readonly at: FieldPath;
  readonly from: FieldPath;
  readonly errors: FieldError[];
}

/** Checks that what conditions are about is there outside of them: their fields and items have schemas. */
export function checkKnown(condition: JsonObject, schema: JsonObject, { at, from, errors }: Known): void {
  for (const [inner, path] of conditionsOf(condition, from))
    checkKnownParts(inner, schema, { at, from: path, errors });
}

function checkKnownParts(condition: JsonObject, schema: JsonObject, { at, from, errors }: Known): void {
  checkKnown(condition, schema, { at, from, errors });
  const look = (inner: JsonObject, known: JsonObject | undefined, [to, of]: [FieldPath, FieldPath]): void => {
    if (known === undefined) errors.push(required(to, `${String(of)} is about it`));
    else checkKnownParts(inner, known, { at: to, from: of, errors });
  };
  const items = objectAt(condition, 'items');
  if (items !== undefined) look(items, objectAt(schema, 'items'), [at.child('items'), from.child('items')]);
  const known = objectAt(schema, 'properties');
  for (const [name, field] of Object.entries(objectAt(condition, 'properties') ?? {}))
    if (isObject(field))
      look(field, objectAt(known, name), [
        at.child('properties').key(name),
        from.child('properties').key(name),
      ]);
}
