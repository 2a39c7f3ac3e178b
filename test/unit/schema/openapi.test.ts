import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { OpenApiDocuments, type ServedDocument } from '../../../src/http/openapi/documents.ts';
import type { JsonObject } from '../../../src/meta/object.ts';
import { openSchemas, readDescriptions, readFact, type Setting } from '../../support/schemas.ts';

type Schemas = Record<string, JsonObject>;

interface V3Document {
  openapi: string;
  info: JsonObject;
  paths: Record<string, PathItem>;
  components: { schemas?: Schemas; securitySchemes: JsonObject };
}

type PathItem = Record<string, Operation> & { parameters?: Parameter[] };

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: { type: string; uniqueItems: boolean };
}

interface Content {
  content?: Record<string, { schema: { $ref?: string; type?: string } }>;
}

interface Operation extends JsonObject {
  operationId: string;
  parameters?: Parameter[] & JsonObject[];
  requestBody?: Content & { required?: boolean } & JsonObject;
  responses: Record<string, Content & JsonObject>;
}

/** How the facts write a document's paths: one line per operation, repeated lists by name. */
interface FactPaths {
  lists: Record<string, string[]>;
  paths: Record<string, Record<string, FactOperation | string | string[]>>;
}

interface FactOperation {
  id: string;
  action?: string;
  gvk?: string;
  params?: string | string[];
  body?: string[];
  bodyRequired?: boolean;
  consumes?: string | string[];
  responses: Record<string, { schema?: string[]; types?: string | string[] }>;
}

function open(profile: 'orch' | 'kubernetes', setting: Setting = 'default'): OpenApiDocuments {
  return new OpenApiDocuments({
    ...openSchemas(profile, setting),
    version: '1.32',
    cbor: setting === 'all',
    descriptions: () => readDescriptions(profile),
  });
}

async function parse<T>(document: Promise<ServedDocument> | undefined): Promise<T> {
  assert.ok(document, 'there is a document');
  return JSON.parse(Buffer.from((await document).bytes).toString()) as T;
}

async function readIndex(
  documents: OpenApiDocuments,
): Promise<Record<string, { serverRelativeURL: string }>> {
  return (await parse<{ paths: Record<string, { serverRelativeURL: string }> }>(documents.index())).paths;
}

/** All v3 documents of a setting, by place. */
async function readAll(setting: Setting): Promise<Map<string, V3Document>> {
  const documents = open('kubernetes', setting);
  const all = new Map<string, V3Document>();
  for (const place of Object.keys(await readIndex(documents)))
    all.set(place, await parse(documents.v3(place)));
  return all;
}

describe('OpenAPI', () => {
  const places =
    readFact<Record<Setting, Record<string, { paths: number; schemas: number }>>>(
      'openapi/v3-documents.json',
    );
  const examples = readFact<Record<string, JsonObject>>('openapi/examples.json');
  let byDefault: Map<string, V3Document>;
  let all: Map<string, V3Document>;

  before(async () => {
    [byDefault, all] = [await readAll('default'), await readAll('all')];
  });

  describe('v3', () => {
    it('has a document at each place of the reference, with as many paths and schemas', () => {
      for (const [setting, documents] of [
        ['default', byDefault],
        ['all', all],
      ] as const) {
        const counts = [...documents].map(([place, { components, paths }]) => [
          place,
          { paths: Object.keys(paths).length, schemas: Object.keys(components.schemas ?? {}).length },
        ]);
        const expected = Object.entries(places[setting]).map(([place, { paths, schemas }]) => [
          place,
          { paths, schemas },
        ]);
        const listed = new Set(expected.map(([place]) => place));
        const relevant = counts.filter(([place]) => setting === 'default' || listed.has(place as string));
        assert.deepEqual(relevant, expected);
      }
    });

    it('describes each type as the reference does', () => {
      const expected = readFact<Schemas>('openapi/v3-schemas.json');
      assert.deepEqual(withoutDescriptions(collectSchemas(byDefault)), expected);
      const more = readFact<{ onlyInAll: Schemas; changed: Schemas }>('openapi/v3-schemas-all.json');
      assert.deepEqual(withoutDescriptions(collectSchemas(all)), {
        ...expected,
        ...more.onlyInAll,
        ...more.changed,
      });
    });

    it('says of every type and field what it is for', () => {
      const silent = Object.entries(collectSchemas(all)).flatMap(([name, schema]) => [
        ...(schema.description === undefined ? [name] : []),
        ...Object.entries((schema.properties ?? {}) as Schemas).flatMap(([field, value]) =>
          value.description === undefined && value.$ref === undefined ? [`${name}.${field}`] : [],
        ),
      ]);
      assert.deepEqual(silent, []);
    });

    for (const [setting, file] of [
      ['default', 'openapi/v3-paths.json'],
      ['all', 'openapi/v3-paths-all.json'],
    ] as const) {
      it(`has the operations of the reference (${setting})`, () => {
        const facts = readFact<FactPaths>(file);
        const served = new Map<string, PathItem>();
        for (const { paths } of (setting === 'all' ? all : byDefault).values()) {
          for (const [path, item] of Object.entries(paths)) served.set(path, item);
        }
        if (setting === 'default')
          assert.deepEqual([...served.keys()].sort(), Object.keys(facts.paths).sort());
        for (const [path, expected] of Object.entries(facts.paths)) {
          const item = served.get(path);
          assert.ok(item, path);
          assert.deepEqual(asFact(item), expand(expected, facts.lists), path);
        }
      });
    }

    it('has the shape of the example document', () => {
      const example = examples[
        'v3 document apis/coordination.k8s.io/v1 (schemas elided)'
      ] as unknown as V3Document;
      const { components, info, openapi, paths } = byDefault.get('apis/coordination.k8s.io/v1') as V3Document;
      assert.deepEqual({ info, openapi }, { info: example.info, openapi: example.openapi });
      assert.deepEqual(components.securitySchemes, example.components.securitySchemes);
      assert.deepEqual(
        Object.keys(components.schemas ?? {}).sort(),
        Object.keys(example.components.schemas ?? {}).sort(),
      );
      for (const [path, expected] of Object.entries(example.paths)) {
        assert.deepEqual(withoutDescriptions(paths[path] as unknown as JsonObject), expected, path);
      }
    });
  });

  describe('v2', () => {
    let document: JsonObject;

    before(async () => {
      document = await parse<JsonObject>(open('kubernetes').v2());
    });

    it('describes each type as the reference does', () => {
      assert.deepEqual(
        withoutDescriptions(document.definitions as JsonObject),
        readFact('openapi/v2-definitions.json'),
      );
    });

    it('has the top level of the reference', () => {
      const counted = ['definitions', 'parameters', 'paths'];
      const { definitions: _d, parameters: _p, paths: _q, ...rest } = examples['v2 top level'] as JsonObject;
      const top = Object.fromEntries(Object.entries(document).filter(([key]) => !counted.includes(key)));
      assert.deepEqual(top, rest);
      // The v3 paths stand under the same names, so that their tests hold here too.
      const paths = [...byDefault.values()].flatMap((v3) => Object.keys(v3.paths));
      assert.deepEqual(Object.keys(document.paths as JsonObject).sort(), paths.sort());
    });

    it('has the operations of the example, parameters shared or not as there', () => {
      const paths = document.paths as Record<string, JsonObject>;
      const item = paths['/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases/{name}'] as JsonObject;
      const shared = document.parameters as JsonObject;
      const example = examples['v2 operation example'] as JsonObject;
      assert.deepEqual(
        shortenReferences(withoutDescriptions(item)),
        shortenReferences(example),
        'but for the hashes, which are over descriptions there',
      );
      for (const reference of JSON.stringify(item).matchAll(/"#\/parameters\/([^"]+)"/g)) {
        assert.ok(shared[reference[1] ?? ''], `${reference[1] ?? ''} is defined`);
      }
    });
  });

  it('speaks the names of its profile', async () => {
    const documents = open('orch');
    const { serverRelativeURL } = (await readIndex(documents))['apis/rbac.authorization.orch.io/v1'] ?? {};
    assert.match(
      serverRelativeURL ?? '',
      /^\/openapi\/v3\/apis\/rbac\.authorization\.orch\.io\/v1\?hash=[0-9A-F]{128}$/,
    );
    const document = await parse<V3Document>(documents.v3('apis/rbac.authorization.orch.io/v1'));
    assert.equal(document.info.title, 'Kubernetes');
    assert.deepEqual(
      document.components.schemas?.['io.k8s.api.rbac.v1.Role']?.['x-orch-group-version-kind'],
      [{ group: 'rbac.authorization.orch.io', version: 'v1', kind: 'Role' }],
    );
    const text = Buffer.from((await documents.v2()).bytes).toString();
    assert.doesNotMatch(text, /(?<!io\.)k8s\.io|kubernetes\.io|x-kubernetes/);
    assert.match(text, /listRbacAuthorizationV1ClusterRole"/);
  });

  it('lists each document under the SHA-512 of its bytes', async () => {
    const documents = open('orch');
    for (const [place, { serverRelativeURL }] of Object.entries(await readIndex(documents))) {
      const { bytes, etag, hash } = (await documents.v3(place)) as ServedDocument;
      assert.equal(hash, createHash('sha512').update(bytes).digest('hex').toUpperCase());
      assert.equal(etag, `"${hash}"`);
      assert.equal(serverRelativeURL, `/openapi/v3/${place}?hash=${hash}`);
    }
  });

  it('builds each document once, also when it is asked for twice at a time', async () => {
    const documents = open('orch');
    assert.equal(documents.v2(), documents.v2());
    assert.equal(await documents.v3('api/v1'), await documents.v3('api/v1'));
  });

  it('has no document at unknown places', () => {
    const documents = open('orch');
    for (const place of ['apis/nope/v1', '', 'api/v1/', '__proto__', 'constructor']) {
      assert.equal(documents.v3(place), undefined, place);
    }
  });
});

function collectSchemas(documents: Map<string, V3Document>): Schemas {
  return Object.assign(
    {},
    ...[...documents.values()].map(({ components }) => components.schemas ?? {}),
  ) as Schemas;
}

/** A path item as the facts would write it, lists in full. */
function asFact(item: PathItem): unknown {
  const { parameters, ...operations } = item;
  return {
    ...Object.fromEntries(
      Object.entries(operations as Record<string, Operation>).map(([method, operation]) => [
        method,
        operationAsFact(operation),
      ]),
    ),
    ...(parameters === undefined ? {} : { params: parameters.map(parameterAsFact) }),
  };
}

function operationAsFact(operation: Operation): FactOperation {
  const { operationId, parameters, requestBody, responses } = operation;
  const gvk = operation['x-kubernetes-group-version-kind'] as
    { group: string; version: string; kind: string } | undefined;
  const action = operation['x-kubernetes-action'] as string | undefined;
  return {
    id: operationId,
    ...(action === undefined ? {} : { action }),
    ...(gvk === undefined ? {} : { gvk: `${gvk.group}/${gvk.version}/${gvk.kind}` }),
    ...(parameters === undefined ? {} : { params: parameters.map(parameterAsFact) }),
    ...(requestBody === undefined
      ? {}
      : {
          body: schemasOf(requestBody),
          bodyRequired: requestBody.required ?? false,
          consumes: Object.keys(requestBody.content ?? {}),
        }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([code, response]) => [
        code,
        response.content === undefined
          ? {}
          : { schema: schemasOf(response), types: Object.keys(response.content) },
      ]),
    ),
  };
}

function schemasOf({ content = {} }: Content): string[] {
  const names = Object.values(content).map(
    ({ schema }) => schema.$ref?.split('/').pop() ?? schema.type ?? '',
  );
  return [...new Set(names)];
}

function parameterAsFact({ name, in: where, required, schema }: Parameter): string {
  assert.equal(schema.uniqueItems, true);
  return `${name}:${where}:${schema.type}${required === true ? '!' : ''}`;
}

function expand(item: FactPaths['paths'][string], lists: FactPaths['lists']): unknown {
  const full = (list: string | string[]): string[] =>
    typeof list === 'string' ? (lists[list] ?? [list]) : list;
  return Object.fromEntries(
    Object.entries(item).map(([key, value]) => {
      if (typeof value === 'string' || Array.isArray(value)) return [key, full(value)];
      const { consumes, params, responses, ...rest } = value;
      return [
        key,
        {
          ...rest,
          ...(params === undefined ? {} : { params: full(params) }),
          ...(consumes === undefined ? {} : { consumes: full(consumes) }),
          responses: Object.fromEntries(
            Object.entries(responses).map(([code, response]) => [
              code,
              response.types === undefined ? response : { ...response, types: full(response.types) },
            ]),
          ),
        },
      ];
    }),
  );
}

/** The facts hold no prose: our `OK` and `Unauthorized` go too. Fields with that name stay. */
function withoutDescriptions(value: JsonObject): JsonObject {
  return JSON.parse(
    JSON.stringify(value, (key, inner: unknown) =>
      key === 'description' && typeof inner === 'string' ? undefined : inner,
    ),
  ) as JsonObject;
}

function shortenReferences(value: JsonObject): unknown {
  return JSON.parse(JSON.stringify(value).replace(/(#\/parameters\/\w+)-[\w-]{8}"/g, '$1"'));
}
