import assert from 'node:assert/strict';
import { Cluster } from './cluster.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const REVISIONS = '/apis/apps/v1/namespaces/default/controllerrevisions';
const YAML = 'application/yaml';

const configMap = (more: string, metadata = '"name":"a"'): string =>
  `{"kind":"ConfigMap","apiVersion":"v1","metadata":{${metadata}}${more}}`;
const deployment = (container: string, template = ''): string =>
  `{"metadata":{"name":"d"},"spec":{"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}${template}},
  "spec":{"containers":[{"name":"c","image":"i"${container}}]}}}}`;

/** What a body has that it shouldn't have, in the order in which clients are told. */
const bodies: [title: string, path: string, raw: string, problems: string[], contentType?: string][] = [
  ['nothing', CONFIG_MAPS, configMap(',"data":{"a":"1"}'), []],
  [
    'unknown fields',
    CONFIG_MAPS,
    configMap(',"foo":1,"bar":{"x":1}'),
    ['unknown field "foo"', 'unknown field "bar"'],
  ],
  ['an unknown field that is null', CONFIG_MAPS, configMap(',"foo":null'), ['unknown field "foo"']],
  ['a field in other letters', CONFIG_MAPS, configMap(',"Data":{"a":"1"}'), ['unknown field "Data"']],
  ['unknown metadata', CONFIG_MAPS, configMap('', '"name":"a","nam":"b"'), ['unknown field "metadata.nam"']],
  [
    'unknown fields in lists',
    CONFIG_MAPS,
    configMap('', '"name":"a","ownerReferences":[{"apiVersion":"v1","kind":"P","name":"p","uid":"u","x":1}]'),
    ['unknown field "metadata.ownerReferences[0].x"'],
  ],
  [
    'unknown fields in a template',
    DEPLOYMENTS,
    deployment(',"ports":[{"containerPort":1},{"containerPort":2,"x":1}],"y":2', ',"z":3'),
    [
      'unknown field "spec.template.metadata.z"',
      'unknown field "spec.template.spec.containers[0].ports[1].x"',
      'unknown field "spec.template.spec.containers[0].y"',
    ],
  ],
  [
    'a repeated field',
    CONFIG_MAPS,
    configMap(',"data":{"a":"1"},"data":{"b":"2"}'),
    ['duplicate field "data"'],
  ],
  [
    'a repeated key',
    CONFIG_MAPS,
    configMap(',"data":{"a":"1","a":"2","a":"3"}'),
    ['duplicate field "data.a"'],
  ],
  [
    'a repeated field in a list',
    DEPLOYMENTS,
    deployment(',"image":"j","args":["a"],"args":["b"]'),
    [
      'duplicate field "spec.template.spec.containers[0].image"',
      'duplicate field "spec.template.spec.containers[0].args"',
    ],
  ],
  [
    'repeated unknown fields',
    CONFIG_MAPS,
    configMap(',"foo":1,"foo":{"a":1,"a":2}'),
    ['unknown field "foo"'],
  ],
  [
    'repeated keys of free content',
    REVISIONS,
    '{"metadata":{"name":"a"},"revision":1,"data":{"a":1,"a":2}}',
    [],
  ],
  [
    'unknown and repeated fields',
    CONFIG_MAPS,
    configMap(',"foo":1,"data":{"a":"1","a":"2"}'),
    ['unknown field "foo"', 'duplicate field "data.a"'],
  ],
  [
    'unknown and repeated fields in YAML',
    CONFIG_MAPS,
    'metadata: {name: a}\nfoo: 1\ndata:\n  a: b\n  a: c\n',
    ['unknown field "foo"', 'line 5: key "a" already set in map'],
    YAML,
  ],
  [
    'unknown fields in JSON that says it is YAML',
    CONFIG_MAPS,
    configMap(',"foo":1'),
    ['unknown field "foo"'],
    YAML,
  ],
];

describe('field validation', () => {
  let cluster: Cluster;
  beforeEach(async () => {
    cluster = await Cluster.open();
  });
  afterEach(() => cluster.close());

  for (const [title, path, raw, problems, contentType = 'application/json'] of bodies) {
    describe(`of ${title}`, () => {
      it('is for warnings by default', async () => {
        for (const query of ['', '?fieldValidation=', '?fieldValidation=Warn']) {
          const { warnings } = await cluster.expect(
            201,
            `POST ${path}${query}&dryRun=All`.replace('&', query ? '&' : '?'),
            { raw, contentType },
          );
          assert.deepEqual(warnings, problems);
        }
      });

      it('may be ignored', async () => {
        const { warnings } = await cluster.expect(201, `POST ${path}?fieldValidation=Ignore`, {
          raw,
          contentType,
        });
        assert.deepEqual(warnings, []);
      });

      it('may be strict', async () => {
        const strict = `POST ${path}?fieldValidation=Strict`;
        const { object } = await cluster.expect(problems.length === 0 ? 201 : 400, strict, {
          raw,
          contentType,
        });
        if (problems.length === 0) return;
        assert.equal(object.reason, 'BadRequest');
        assert.equal(object.message, `strict decoding error: ${problems.join(', ')}`);
      });
    });
  }

  it('tells of no more than 100 fields of a kind', async () => {
    const fields = Array.from({ length: 150 }, (_, i) => `"f${i}":1`).join();
    const { object } = await cluster.expect(400, `POST ${CONFIG_MAPS}?fieldValidation=Strict`, {
      raw: configMap(`,${fields}`),
    });
    assert.equal((object.message as string).split(', ').length, 100);
  });

  it('comes after the check of types', async () => {
    const raw = configMap(',"foo":1,"data":{"a":1}');
    const { object } = await cluster.expect(400, `POST ${CONFIG_MAPS}?fieldValidation=Strict`, { raw });
    assert.match(object.message as string, /data\.a: must be a string/);
  });

  it('is of updates, too, of subresources and patches', async () => {
    await cluster.expect(201, `POST ${DEPLOYMENTS}`, { raw: deployment('') });
    const unknown = deployment(',"foo":1');
    const scale = { metadata: { name: 'd', namespace: 'default' }, spec: { replicas: 1, foo: 1 } };
    const status = { metadata: { name: 'd' }, status: { foo: 1 } };
    for (const [line, request, code] of [
      [`PUT ${DEPLOYMENTS}/d`, { raw: unknown }, 400],
      [`PUT ${DEPLOYMENTS}/d/status`, { body: status }, 400],
      [`PUT ${DEPLOYMENTS}/d/scale`, { body: scale }, 400],
      [
        `PATCH ${DEPLOYMENTS}/d`,
        { body: { spec: { foo: 1 } }, contentType: 'application/merge-patch+json' },
        422,
      ],
      [
        `PATCH ${DEPLOYMENTS}/d/status`,
        { body: status, contentType: 'application/strategic-merge-patch+json' },
        422,
      ],
      [`PATCH ${DEPLOYMENTS}/d/scale`, { body: scale, contentType: 'application/merge-patch+json' }, 422],
    ] as const) {
      const { object } = await cluster.expect(code, `${line}?fieldValidation=Strict`, request);
      assert.match(object.message as string, /unknown field ".*foo"/);
      const { warnings } = await cluster.expect(200, line, request);
      assert.equal(warnings.length, 1);
    }
  });

  it('refuses other levels', async () => {
    const { object } = await cluster.expect(422, `POST ${CONFIG_MAPS}?fieldValidation=strict`, {
      raw: configMap(''),
    });
    const { causes } = object.details as { causes: { field: string; reason: string }[] };
    assert.deepEqual(
      causes.map(({ field, reason }) => [field, reason]),
      [['fieldValidation', 'FieldValueNotSupported']],
    );
  });
});
