import assert from 'node:assert/strict';
import type { ObjectMeta, OwnerReference } from '../../../src/meta/object.ts';
import {
  validateObjectMeta,
  validateObjectMetaUpdate,
  type MetadataRules,
} from '../../../src/schema/metadata/validate-object-meta.ts';

const RULES: MetadataRules = {
  namespaced: true,
  nameRule: 'dnsSubdomain',
  standardFinalizers: new Set(['orphan', 'foregroundDeletion']),
};
const GOOD: ObjectMeta = { name: 'a', namespace: 'n' };
const owner = (changes: Partial<OwnerReference> = {}): OwnerReference => ({
  apiVersion: 'v1',
  kind: 'Pod',
  name: 'p',
  uid: 'u',
  ...changes,
});

/** `field reason` of every error. */
const errorsOf = (meta: ObjectMeta, rules = RULES): string[] =>
  validateObjectMeta(meta, rules).map(({ field, reason }) => `${field} ${reason.replace('FieldValue', '')}`);

describe('metadata', () => {
  const cases: [name: string, meta: ObjectMeta, errors: string[], rules?: Partial<MetadataRules>][] = [
    ['that is right', GOOD, []],
    ['without a name', { namespace: 'n' }, ['metadata.name Required']],
    ['with a bad name', { ...GOOD, name: 'A' }, ['metadata.name Invalid']],
    [
      'with a long and bad name',
      { ...GOOD, name: 'A'.repeat(254) },
      ['metadata.name Invalid', 'metadata.name Invalid'],
    ],
    ['with a name that is one path segment', { ...GOOD, name: 'a:B' }, [], { nameRule: 'pathSegment' }],
    [
      'with a name that is none',
      { ...GOOD, name: 'a/b' },
      ['metadata.name Invalid'],
      { nameRule: 'pathSegment' },
    ],
    [
      'with a dot in a label name',
      { ...GOOD, name: 'a.b' },
      ['metadata.name Invalid'],
      { nameRule: 'dnsLabel' },
    ],
    ['with a prefix for names', { ...GOOD, generateName: 'a-' }, []],
    ['with a prefix and no name', { namespace: 'n', generateName: 'a-' }, ['metadata.name Required']],
    ['with a bad prefix', { ...GOOD, generateName: 'A-' }, ['metadata.generateName Invalid']],
    ['with a lone hyphen as prefix', { ...GOOD, generateName: '-' }, ['metadata.generateName Invalid']],
    ['without a namespace', { name: 'a' }, ['metadata.namespace Required']],
    ['with a bad namespace', { name: 'a', namespace: 'A.b' }, ['metadata.namespace Invalid']],
    ['with a namespace where there is none', GOOD, ['metadata.namespace Forbidden'], { namespaced: false }],
    ['with a negative generation', { ...GOOD, generation: -1 }, ['metadata.generation Invalid']],
    ['with a bad label key', { ...GOOD, labels: { 'bad key!': 'x' } }, ['metadata.labels Invalid']],
    ['with a bad label value', { ...GOOD, labels: { a: '-' } }, ['metadata.labels Invalid']],
    ['with an upper-case annotation domain', { ...GOOD, annotations: { 'Example.com/A': '' } }, []],
    ['with a bad annotation', { ...GOOD, annotations: { 'a/b/c': '' } }, ['metadata.annotations Invalid']],
    ['with annotations of 256 KiB', { ...GOOD, annotations: { k: 'x'.repeat(262_143) } }, []],
    [
      'with larger annotations',
      { ...GOOD, annotations: { k: 'x'.repeat(262_144) } },
      ['metadata.annotations TooLong'],
    ],
    [
      'with larger annotations in bytes',
      { ...GOOD, annotations: { k: 'é'.repeat(131_072) } },
      ['metadata.annotations TooLong'],
    ],
    ['with owners', { ...GOOD, ownerReferences: [owner(), owner({ controller: true })] }, []],
    [
      'with an owner that says nothing',
      { ...GOOD, ownerReferences: [{} as OwnerReference] },
      ['apiVersion', 'kind', 'name', 'uid'].map((field) => `metadata.ownerReferences.${field} Invalid`),
    ],
    [
      'with an owner without version',
      { ...GOOD, ownerReferences: [owner({ apiVersion: 'apps/' }), owner({ apiVersion: 'apps/v1/x' })] },
      ['metadata.ownerReferences.apiVersion Invalid', 'metadata.ownerReferences.apiVersion Invalid'],
    ],
    [
      'owned by an event',
      { ...GOOD, ownerReferences: [owner({ kind: 'Event' })] },
      ['metadata.ownerReferences Invalid'],
    ],
    [
      'with two controllers',
      { ...GOOD, ownerReferences: [owner({ controller: true }), owner({ controller: true, uid: 'v' })] },
      ['metadata.ownerReferences Invalid'],
    ],
    ['with finalizers', { ...GOOD, finalizers: ['orphan', 'example.com/a'] }, []],
    ['with a finalizer of no domain', { ...GOOD, finalizers: ['a'] }, ['metadata.finalizers[0] Invalid']],
    [
      'with an empty finalizer',
      { ...GOOD, finalizers: [''] },
      ['metadata.finalizers Invalid', 'metadata.finalizers Invalid', 'metadata.finalizers[0] Invalid'],
    ],
    [
      'with finalizers that exclude each other',
      { ...GOOD, finalizers: ['orphan', 'foregroundDeletion'] },
      ['metadata.finalizers Invalid'],
    ],
    [
      'with a sound record of ownership',
      { ...GOOD, managedFields: [{ manager: 'm', operation: 'Update' }] },
      [],
    ],
    [
      'with a record that makes no sense',
      {
        ...GOOD,
        managedFields: [
          { manager: `${'m'.repeat(128)}\n`, operation: 'X', fieldsType: 'Y', subresource: 's'.repeat(257) },
        ],
      },
      [
        'metadata.managedFields[0].operation Invalid',
        'metadata.managedFields[0].fieldsType Invalid',
        'metadata.managedFields[0].manager TooLong',
        'metadata.managedFields[0].manager Invalid',
        'metadata.managedFields[0].subresource TooLong',
      ],
    ],
  ];
  for (const [name, meta, errors, rules] of cases) {
    it(name, () => assert.deepEqual(errorsOf(meta, { ...RULES, ...rules }), errors));
  }
});

describe('changed metadata', () => {
  const OLD: ObjectMeta = {
    ...GOOD,
    uid: 'u',
    creationTimestamp: '2026-01-01T00:00:00Z',
    resourceVersion: '5',
    generation: 2,
    finalizers: ['example.com/a'],
  };
  const changed = (changes: ObjectMeta, old: ObjectMeta = OLD): string[] =>
    validateObjectMetaUpdate({ ...old, ...changes }, old, RULES).map(({ field }) => field);

  it('may have other labels, finalizers and owners', () =>
    assert.deepEqual(
      changed({ labels: { a: 'b' }, finalizers: [], ownerReferences: [owner()], generation: 3 }),
      [],
    ));

  for (const [field, value] of [
    ['name', 'b'],
    ['namespace', 'm'],
    ['uid', 'v'],
    ['creationTimestamp', '2026-01-01T00:00:01Z'],
    ['deletionTimestamp', '2026-01-01T00:00:00Z'],
    ['deletionGracePeriodSeconds', 5],
    ['generation', 1],
  ] as const) {
    it(`keeps its ${field}, and tells so twice`, () =>
      assert.deepEqual(changed({ [field]: value }), [`metadata.${field}`, `metadata.${field}`]));
  }

  it('names the version that it changes', () =>
    assert.deepEqual(changed({ resourceVersion: '' }), [
      'metadata.resourceVersion',
      'metadata.resourceVersion',
    ]));

  it('tells bad labels as often as the interface checks them', () =>
    assert.deepEqual(changed({ labels: { 'bad key!': '' } }), Array(4).fill('metadata.labels')));

  it('breaks the rules of its kind once, and those of all kinds again', () => {
    const old = { ...OLD, name: 'Upper' };
    assert.deepEqual(changed({}, old), ['metadata.name']);
    assert.deepEqual(changed({ uid: 'v' }, old), ['metadata.uid', 'metadata.name', 'metadata.uid']);
  });

  it('gets no finalizers while it is being deleted', () => {
    const old = { ...OLD, deletionTimestamp: '2026-01-01T00:00:00Z' };
    assert.deepEqual(changed({ finalizers: [] }, old), []);
    const errors = validateObjectMetaUpdate(
      { ...old, finalizers: ['example.com/a', 'example.com/b'] },
      old,
      RULES,
    );
    assert.deepEqual(
      errors.map(({ reason }) => reason),
      ['FieldValueForbidden', 'FieldValueForbidden'],
    );
    assert.match(errors[0]?.message ?? '', /example\.com\/b$/);
  });
});
