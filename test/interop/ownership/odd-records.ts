import type { Exchange } from './both.ts';

const APPLY = 'application/apply-patch+yaml';
const MERGE = 'application/merge-patch+json';
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** A history of one object, and what is odd about it. */
export type OddHistory = readonly [title: string, exchanges: readonly Exchange[]];

export type Body = Record<string, unknown>;

/** Records that clients might send: sound, half sound and senseless ones. */
const entry = (changes: Body): Body => ({
  manager: 'q',
  operation: 'Update',
  apiVersion: 'v1',
  time: '2020-01-01T00:00:00Z',
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:data': { 'f:k': {} } },
  ...changes,
});
const set = (fieldsV1: unknown): Body => entry({ fieldsV1 });
const RECORDS: readonly (readonly [title: string, record: readonly unknown[]])[] = [
  ['sound', [entry({})]],
  ['one manager twice', [entry({}), set({ 'f:data': { 'f:j': {} } })]],
  ['no kind of set', [entry({ fieldsType: undefined })]],
  ['a version that is gone', [entry({ apiVersion: 'v9' })]],
  ['a version of another group', [entry({ apiVersion: 'apps/v1' })]],
  ['what is no version', [entry({ apiVersion: 'a/b/c' })]],
  ['no version', [entry({ apiVersion: undefined })]],
  ['an empty set', [set({})]],
  ['no set', [set(undefined)]],
  ['an empty set and another', [set({}), entry({ manager: 'z' })]],
  [
    'parts of something atomic',
    [set({ 'f:metadata': { 'f:ownerReferences': { 'k:{"uid":"u"}': { 'f:name': {} } } } })],
  ],
  ['indexes', [set({ 'f:data': { 'i:0': {}, 'i:10': {}, 'i:9': {} } })]],
  ['unknown elements', [set({ 'f:data': { 'x:0': {}, 'f:k': {} } })]],
  ['only unknown elements', [set({ 'f:data': { 'x:0': {} } })]],
  ['another order', [set({ 'f:metadata': { 'f:labels': { 'f:b': {}, '.': {}, 'f:a': {} } }, 'f:data': {} })]],
  ['another spelling', [set({ 'f:metadata': { 'f:finalizers': { 'v: "x"': {} } } })]],
  ['an applier', [entry({ operation: 'Apply' })]],
  ['an applier twice', [entry({ operation: 'Apply' }), entry({ operation: 'Apply', apiVersion: 'v2' })]],
  ['unknown fields', [set({ 'f:nope': { 'f:x': {} } })]],
  ['no manager', [entry({ manager: undefined })]],
  ['no operation', [entry({ operation: undefined })]],
  ['no time', [entry({ time: undefined })]],
  ['what is no time', [entry({ time: 'x' })]],
  ['a subresource', [entry({ subresource: 'status' })]],
  ['nothing but itself', [set({ '.': {} })]],
  ['itself besides', [set({ '.': {}, 'f:data': {} })]],
  ['a list for a set', [set([])]],
  ['a text for a set', [set('x')]],
  ['a list in a set', [set({ 'f:data': [] })]],
  ['null in a set', [set({ 'f:data': null })]],
  ['a number in a set', [set({ 'f:data': 5 })]],
  ['what is no key', [set({ 'f:data': { 'k:{': {} } })]],
  ['what is no value', [set({ 'f:data': { 'v:x': {} } })]],
  ['what is no element', [set({ '': {} })]],
  ['identity', [set({ 'f:metadata': { '.': {}, 'f:name': {}, 'f:uid': {} }, 'f:kind': {} })]],
  ['null', [null]],
  ['an empty entry and another', [{}, entry({})]],
  ['two empty entries', [{}, {}]],
  ['a manager and nothing else', [{ manager: 'x' }]],
];

/** Histories of ConfigMaps around odd records, and around the annotation of clients that apply by themselves. */
export function oddRecords(namespace: string): OddHistory[] {
  const all = `/api/v1/namespaces/${namespace}/configmaps`;
  const histories: OddHistory[] = [];
  for (const [i, [title, record]] of RECORDS.entries()) {
    const named = (name: string, content: Body = {}, metadata: Body = {}): Body => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, ...metadata },
      ...content,
    });
    const make = (name: string, metadata: Body = {}): Exchange => ({
      method: 'POST',
      path: `${all}?fieldManager=maker`,
      body: named(name, { data: { k: '1', j: '1' } }, metadata),
    });
    const patch = (name: string, body: Body): Exchange => ({
      method: 'PATCH',
      path: `${all}/${name}?fieldManager=patcher`,
      contentType: MERGE,
      body,
    });
    const apply = (name: string, query = ''): Exchange => ({
      method: 'PATCH',
      path: `${all}/${name}?fieldManager=applier${query}`,
      contentType: APPLY,
      body: named(name, { data: { k: '2' } }),
    });
    histories.push(
      [
        `a record: ${title}`,
        [
          make(`r${i}`),
          patch(`r${i}`, { metadata: { managedFields: record } }),
          patch(`r${i}`, { data: { l: '1' } }),
          apply(`r${i}`),
          apply(`r${i}`, '&force=true'),
        ],
      ],
      [
        `a record with a change: ${title}`,
        [make(`s${i}`), patch(`s${i}`, { metadata: { managedFields: record }, data: { k: '2' } })],
      ],
      [`a record on create: ${title}`, [make(`t${i}`, { managedFields: record })]],
    );
  }
  return histories;
}

/** What kubectl may have left when it applied by itself. */
export function oddAnnotations(namespace: string): OddHistory[] {
  const all = `/api/v1/namespaces/${namespace}/configmaps`;
  const texts: readonly [string, (name: string) => string][] = [
    ['what is there', (name) => JSON.stringify(of(name, { data: { k: '1' } }))],
    ['other values', (name) => JSON.stringify(of(name, { data: { k: '9' } }))],
    ['no JSON', () => 'x'],
    ['another version', (name) => JSON.stringify({ ...of(name), apiVersion: 'v2' })],
    ['nothing', () => ''],
    ['unknown fields', (name) => JSON.stringify(of(name, { bogus: 1, data: { k: '1' } }))],
  ];
  return texts.map(([title, text], i) => {
    const name = `l${i}`;
    const apply = (manager: string, data: Body, annotations: Body = {}): Exchange => ({
      method: 'PATCH',
      path: `${all}/${name}?fieldManager=${manager}`,
      contentType: APPLY,
      body: of(name, { data }, { annotations }),
    });
    const metadata = { annotations: { [LAST_APPLIED]: text(name) } };
    return [
      `an annotation of what was applied last: ${title}`,
      [
        {
          method: 'POST',
          path: `${all}?fieldManager=csa`,
          body: of(name, { data: { k: '1', j: '1' } }, metadata),
        },
        apply('kubectl', { k: '2<&>' }, { x: 'y' }),
        apply('kubectl', { k: '2<&>', j: '2' }, { x: 'y', [LAST_APPLIED]: 'z' }),
        apply('kubectl&force=true', { k: '3', j: '2' }),
        apply('other', { k: '3', j: '2' }),
      ],
    ];
  });
}

function of(name: string, content: Body = {}, metadata: Body = {}): Body {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, ...content };
}

/** More managers than a record keeps. */
export function manyManagers(namespace: string): OddHistory[] {
  const all = `/api/v1/namespaces/${namespace}/configmaps`;
  const patch = (i: number, data: Body): Exchange => ({
    method: 'PATCH',
    path: `${all}/many?fieldManager=u${i}`,
    contentType: MERGE,
    body: { data },
  });
  const apply = (query: string): Exchange => ({
    method: 'PATCH',
    path: `${all}/many?fieldManager=m${query}`,
    contentType: APPLY,
    body: of('many', { data: { k3: '2' } }),
  });
  return [
    [
      'more managers than are kept',
      [
        { method: 'POST', path: `${all}?fieldManager=u0`, body: of('many', { data: { k: '1' } }) },
        ...Array.from({ length: 14 }, (_, i) => patch(i + 1, { [`k${i}`]: '1' })),
        apply(''),
        apply('&force=true'),
        patch(20, { k3: null, k: null }),
      ],
    ],
  ];
}
