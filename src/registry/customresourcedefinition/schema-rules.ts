import { forbidden, invalid, notSupported, required } from '../../errors/field-error.ts';
import type { FieldPath } from '../../errors/field-path.ts';
import { isObject, objectAt, objectsAt, sizeOf, textAt } from '../../meta/fields.ts';
import type { JsonObject } from '../../meta/object.ts';
import { checkListType } from './list-types.ts';
import type { SchemaContext } from './terms.ts';

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string'];
const MAP_TYPES = ['atomic', 'granular'];
/** What schemas of other systems have and these don't: fields whose emptiness is as good as absence, and others. */
const NEVER_SET = ['id', '$ref', 'additionalItems', 'dependencies'];
const NEVER_FILLED = ['patternProperties', 'definitions'];

/** Rules for a schema and all schemas in it, whether it is structural or not; but for its defaults and expressions. */
export function checkSchema(schema: JsonObject, at: FieldPath, context: SchemaContext): void {
  checkOne(schema, at, context);
  for (const field of ['items', 'additionalProperties', 'not']) {
    const inner = objectAt(schema, field);
    if (inner !== undefined) checkSchema(inner, at.child(field), context);
  }
  for (const [name, inner] of Object.entries(objectAt(schema, 'properties') ?? {}))
    if (isObject(inner)) checkSchema(inner, at.child('properties').key(name), context);
  for (const field of ['allOf', 'oneOf', 'anyOf'])
    for (const [i, inner] of objectsAt(schema, field).entries())
      checkSchema(inner, at.child(field).index(i), context);
}

function checkOne(schema: JsonObject, at: FieldPath, { terms, errors }: SchemaContext): void {
  const type = textAt(schema, 'type');
  if (type !== '' && !TYPES.includes(type)) errors.push(notSupported(at.child('type'), type, TYPES));
  if (type === 'null') errors.push(forbidden(at.child('type'), 'nullable says it'));
  for (const field of NEVER_SET)
    if (schema[field] !== undefined && schema[field] !== '')
      errors.push(forbidden(at.child(field), 'is not supported'));
  for (const field of NEVER_FILLED)
    if (sizeOf(schema[field]) > 0) errors.push(forbidden(at.child(field), 'is not supported'));
  if (Array.isArray(schema['items']) && sizeOf(schema['items']) > 0)
    errors.push(forbidden(at.child('items'), 'must be one schema, not a list of them'));
  if (schema['uniqueItems'] === true)
    errors.push(forbidden(at.child('uniqueItems'), 'takes time quadratic to the length of the list'));
  const others = schema['additionalProperties'];
  if (others !== undefined && others !== true && sizeOf(schema['properties']) > 0)
    errors.push(forbidden(at.child('additionalProperties'), 'properties are set'));
  if (schema[terms.preserve] === false)
    errors.push(invalid(at.child(terms.preserve), false, 'must be true or not set'));
  checkMapType(schema, at, { terms, errors });
  checkListType(schema, at, { terms, errors });
}

function checkMapType(schema: JsonObject, at: FieldPath, { terms, errors }: SchemaContext): void {
  const mapType = schema[terms.mapType];
  if (typeof mapType !== 'string') return;
  const type = textAt(schema, 'type');
  const problem = `must be object where ${terms.mapType} is set`;
  if (type === '') errors.push(required(at.child('type'), problem));
  else if (type !== 'object') errors.push(invalid(at.child('type'), type, problem));
  if (!MAP_TYPES.includes(mapType)) errors.push(notSupported(at.child(terms.mapType), mapType, MAP_TYPES));
}
