import type { ValueType } from '../../../../src/schema/model.ts';
import { field, struct, structOf } from '../../../support/types.ts';

const STRING: ValueType = { kind: 'string' };

/** A type with everything that is merged in its own way. */
export const TYPE = struct([
  field('text', 'string'),
  field('count', 'int32', { pointer: true }),
  field('flag', 'boolean'),
  field('amount', 'quantity', { pointer: true }),
  field('free', 'json'),
  field('raw', 'rawObject'),
  field('inner', structOf([field('a', 'string'), field('b', 'string')]), { pointer: true }),
  field('one', { kind: 'struct', struct: struct([field('a', 'string')], { atomic: true }) }),
  field('map', { kind: 'map', values: STRING }),
  field('whole', { kind: 'map', values: STRING, mapType: 'atomic' }),
  field('list', { kind: 'list', items: STRING }),
  field('set', { kind: 'list', items: STRING, listType: 'set' }),
  field('named', {
    kind: 'list',
    items: structOf([
      field('name', 'string', { omitEmpty: false }),
      field('protocol', 'string', { default: 'TCP' }),
      field('value', 'int32'),
      field('tags', { kind: 'map', values: STRING }),
    ]),
    listType: 'map',
    mapKeys: ['name', 'protocol'],
  }),
  field('keyed', {
    kind: 'list',
    items: structOf([field('id', 'string', { pointer: true })]),
    listType: 'map',
    mapKeys: ['id'],
  }),
]);
