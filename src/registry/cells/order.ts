import { numberAt, objectAt, textAt } from '../../meta/fields.ts';
import type { JsonObject } from '../../meta/object.ts';
import type { ResourceDefinition } from '../../schema/model.ts';
import { kindKey } from '../kind-key.ts';

/** Compares two objects of a kind, as they are stored. */
export type RowOrder = (a: JsonObject, b: JsonObject) => number;

/** Kinds whose Tables are not in the order of lists: there must be few of each, since all of a page are decoded to be put in order. */
const ORDERS: ReadonlyMap<string, RowOrder> = new Map([['flowcontrol.FlowSchema', byPrecedence]]);

/** In which order a Table has objects; undefined: in that of the list. */
export function rowOrderOf(resource: ResourceDefinition): RowOrder | undefined {
  return ORDERS.get(kindKey(resource) ?? '');
}

/** As requests are matched: the schema that is asked first comes first. */
function byPrecedence(a: JsonObject, b: JsonObject): number {
  const difference = precedenceOf(a) - precedenceOf(b);
  if (difference !== 0) return difference;
  return nameOf(a) < nameOf(b) ? -1 : 1;
}

function precedenceOf(schema: JsonObject): number {
  return numberAt(objectAt(schema, 'spec'), 'matchingPrecedence');
}

function nameOf(schema: JsonObject): string {
  return textAt(objectAt(schema, 'metadata'), 'name');
}
