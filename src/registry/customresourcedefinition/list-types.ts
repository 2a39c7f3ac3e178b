import { forbidden, invalid, notSupported, required } from '../../errors/field-error.ts';
import type { FieldPath } from '../../errors/field-path.ts';
import { objectAt, textAt } from '../../meta/fields.ts';
import type { JsonObject } from '../../meta/object.ts';
import { textsOf } from '../webhookconfiguration/rules.ts';
import type { SchemaContext } from './terms.ts';

const LIST_TYPES = ['atomic', 'set', 'map'];

/** Rules for how a list is merged: as a whole, as a set, or by the keys of its items. */
export function checkListType(schema: JsonObject, at: FieldPath, context: SchemaContext): void {
  const { terms, errors } = context;
  const listType = schema[terms.listType];
  const keys = textsOf(schema[terms.listKeys]);
  const path = at.child(terms.listType);
  if (keys.length > 0 && listType !== 'map') {
    const problem = `must be map where ${terms.listKeys} are set`;
    errors.push(listType === undefined ? required(path, problem) : invalid(path, listType, problem));
  }
  if (typeof listType !== 'string') return;
  const items = objectAt(schema, 'items');
  const type = textAt(schema, 'type');
  const problem = `must be array where ${terms.listType} is set`;
  if (type === '') errors.push(required(at.child('type'), problem));
  else if (type !== 'array') errors.push(invalid(at.child('type'), type, problem));
  else if (listType === 'set' && items !== undefined) checkSetItems(items, at.child('items'), context);
  if (!LIST_TYPES.includes(listType)) errors.push(notSupported(path, listType, LIST_TYPES));
  if (listType === 'map') checkMap(schema, at, context);
  if ((listType === 'set' || listType === 'map') && items?.['nullable'] === true)
    errors.push(forbidden(at.child('items').child('nullable'), `items of a ${listType} are there`));
}

/** Items of a set are compared as a whole. */
function checkSetItems(items: JsonObject, at: FieldPath, { terms, errors }: SchemaContext): void {
  const type = textAt(items, 'type');
  const problem = `must be atomic in a ${terms.listType} of set`;
  const listType = items[terms.listType];
  if (type === 'array' && listType !== undefined && listType !== 'atomic')
    errors.push(invalid(at.child(terms.listType), listType, problem));
  const mapType = items[terms.mapType];
  if (type === 'object' && mapType !== 'atomic')
    errors.push(invalid(at.child(terms.mapType), mapType, problem));
}

/** Items of a map have keys: scalar fields that are always there. */
function checkMap(schema: JsonObject, at: FieldPath, { terms, errors }: SchemaContext): void {
  const keys = textsOf(schema[terms.listKeys]);
  const keysPath = at.child(terms.listKeys);
  const items = objectAt(schema, 'items');
  const path = at.child('items');
  if (keys.length === 0) errors.push(required(keysPath, `${terms.listType} is map`));
  if (items === undefined) {
    if (schema['items'] === undefined) errors.push(required(path, `${terms.listType} is map`));
    else errors.push(invalid(path, schema['items'], `must be one schema where ${terms.listType} is map`));
    return;
  }
  const properties = objectAt(items, 'properties');
  if (items['type'] !== 'object')
    errors.push(
      invalid(path.child('type'), textAt(items, 'type'), `must be object where ${terms.listType} is map`),
    );
  else
    for (const [i, key] of keys.entries()) {
      const type = textAt(objectAt(properties, key), 'type');
      if (properties?.[key] === undefined)
        errors.push(invalid(keysPath, keys, 'must be names of fields of items'));
      else if (type === 'array' || type === 'object')
        errors.push(
          invalid(path.child('properties').key(key).child('type'), type, 'must be that of a scalar'),
        );
      if (keys.indexOf(key) < i) errors.push(invalid(keysPath, keys, 'must be different'));
    }
  for (const key of keys) {
    const field = objectAt(properties, key);
    if (field === undefined) continue;
    const fieldPath = path.child('properties').key(key);
    if (!textsOf(items['required']).includes(key) && field['default'] === undefined)
      errors.push(required(fieldPath.child('default'), 'keys are required or have a default'));
    if (field['nullable'] === true) errors.push(forbidden(fieldPath.child('nullable'), 'keys are there'));
  }
}
