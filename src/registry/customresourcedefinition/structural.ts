import { forbidden, invalid, required, type FieldError } from '../../errors/field-error.ts';
import type { FieldPath } from '../../errors/field-path.ts';
import { isObject, objectAt, sizeOf, textAt } from '../../meta/fields.ts';
import type { JsonObject } from '../../meta/object.ts';
import { checkConditions, checkKnown } from './structural-conditions.ts';
import type { SchemaTerms } from './terms.ts';

/** Where a schema is: of objects themselves, of items, or of fields. */
type Level = 'root' | 'item' | 'field';

const PLACES: Readonly<Record<Level, string>> = {
  root: 'objects have one',
  item: 'items have one',
  field: 'fields have one',
};

/**
 * Checks that a schema is structural: it says the type of every value outside of conditions (`allOf`, `anyOf`, `oneOf`,
 * `not`), which only narrow what is there.
 */
export function structuralErrors(schema: JsonObject, at: FieldPath, terms: SchemaTerms): FieldError[] {
  const errors: FieldError[] = [];
  new StructuralCheck(terms, errors).check(schema, at, 'root');
  checkKnown(schema, schema, { at, from: at, errors });
  return errors;
}

class StructuralCheck {
  readonly #terms: SchemaTerms;
  readonly #errors: FieldError[];

  constructor(terms: SchemaTerms, errors: FieldError[]) {
    this.#terms = terms;
    this.#errors = errors;
  }

  check(schema: JsonObject, at: FieldPath, level: Level): void {
    this.#checkInner(schema, at, level);
    this.#checkExtensions(schema, at);
    checkConditions(schema, { at, terms: this.#terms, errors: this.#errors });
    this.#checkType(schema, at, level);
    this.#checkObject(schema, at, level);
  }

  #checkInner(schema: JsonObject, at: FieldPath, level: Level): void {
    const items = objectAt(schema, 'items');
    if (items !== undefined) this.check(items, at.child('items'), 'item');
    else if (schema['type'] === 'array' && schema['items'] === undefined)
      this.#errors.push(required(at.child('items')));
    for (const [name, field] of Object.entries(objectAt(schema, 'properties') ?? {}))
      if (isObject(field)) this.check(field, at.child('properties').key(name), 'field');
    const others = schema['additionalProperties'];
    if (others === undefined) return;
    const path = at.child('additionalProperties');
    if (level === 'root') this.#errors.push(forbidden(path, 'objects have no other fields'));
    if (isObject(others)) this.check(others, path, 'field');
  }

  #checkExtensions(schema: JsonObject, at: FieldPath): void {
    const { intOrString, preserve, embedded } = this.#terms;
    if (schema[intOrString] !== true) return;
    for (const other of [preserve, embedded])
      if (schema[other] === true)
        this.#errors.push(invalid(at.child(other), true, `must be false where ${intOrString} is true`));
  }

  #checkType(schema: JsonObject, at: FieldPath, level: Level): void {
    const { intOrString, preserve, embedded } = this.#terms;
    const type = textAt(schema, 'type');
    const path = at.child('type');
    if (schema[embedded] === true && type !== 'object') {
      const problem = `must be object where ${embedded} is true`;
      this.#errors.push(type === '' ? required(path, problem) : invalid(path, type, problem));
    } else if (type === '' && schema[intOrString] !== true && schema[preserve] !== true)
      this.#errors.push(required(path, PLACES[level]));
    if (level === 'root' && type !== '' && type !== 'object')
      this.#errors.push(invalid(path, type, 'must be object'));
  }

  /** What holds for whole objects, whether they are resources or embedded in one. */
  #checkObject(schema: JsonObject, at: FieldPath, level: Level): void {
    const { embedded, preserve } = this.#terms;
    const isEmbedded = schema[embedded] === true;
    const properties = objectAt(schema, 'properties');
    if (isEmbedded && schema['additionalProperties'] !== undefined)
      this.#errors.push(forbidden(at.child('additionalProperties'), `${embedded} is set`));
    if (isEmbedded && schema[preserve] !== true && sizeOf(properties) === 0)
      this.#errors.push(required(at.child('properties'), `${embedded} is set without ${preserve}`));
    if (level !== 'root' && !isEmbedded) return;
    for (const field of ['kind', 'apiVersion']) {
      const schemaOfField = objectAt(properties, field);
      if (schemaOfField !== undefined && schemaOfField['type'] !== 'string')
        this.#errors.push(
          invalid(
            at.child('properties').key(field).child('type'),
            textAt(schemaOfField, 'type'),
            'must be string',
          ),
        );
    }
    const metadata = objectAt(properties, 'metadata');
    if (metadata !== undefined) this.#checkMetadata(metadata, at.child('properties').key('metadata'), level);
  }

  #checkMetadata(metadata: JsonObject, at: FieldPath, level: Level): void {
    if (metadata['type'] !== 'object')
      this.#errors.push(invalid(at.child('type'), textAt(metadata, 'type'), 'must be object'));
    if (level !== 'root') return;
    const { type: _type, default: _default, properties, ...rest } = metadata;
    const isNarrowed = Object.keys(isObject(properties) ? properties : {}).every((name) =>
      ['name', 'generateName'].includes(name),
    );
    if (!isNarrowed || hasValues(rest))
      this.#errors.push(forbidden(at, 'only name and generateName may be said more of than they are'));
  }
}

/** Whether a schema says anything. */
function hasValues(schema: JsonObject): boolean {
  return Object.values(schema).some((value) => value !== false && value !== '');
}
