import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readSource, type Source } from '../../../hack/build/source.ts';
import { buildTypes } from '../../../hack/build/types.ts';
import { writeFolder } from '../../../hack/build/write.ts';
import type { SourceFile } from '../../../hack/schema-source.ts';
import { DiscoveryDocuments } from '../../../src/http/discovery/documents.ts';
import { OpenApiDocuments } from '../../../src/http/openapi/documents.ts';
import type { JsonObject } from '../../../src/meta/object.ts';
import { loadSchemas } from '../../../src/schema/load.ts';
import type { SchemaRegistry } from '../../../src/schema/model.ts';
import { openSchemas } from '../../support/schemas.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

/** The example of docs/schemas.md, which holds what it promises. */
const GARDEN = /```yaml\n([^]*?)```/.exec(readFileSync(join(ROOT, 'docs', 'schemas.md'), 'utf8'))?.[1] ?? '';

let builtIn: Source | undefined;

function withGarden(change: (file: string) => string = (file) => file): Source {
  const { files, groups } = (builtIn ??= readSource(join(ROOT, 'schemas')));
  const own = { name: 'garden.example.com', priority: 1000, versions: { v1: 15 } };
  return {
    files: new Map([...files, ['garden.v1', parse(change(GARDEN)) as SourceFile]]),
    groups: { groups: [...groups.groups, own] },
  };
}

describe('a kind of our own', () => {
  const { names } = openSchemas('orch');
  let directory: string;
  let registry: SchemaRegistry;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'schemas-'));
    writeFolder(
      join(directory, 'orch'),
      buildTypes(withGarden(), 'orch', (name) => name),
    );
    registry = loadSchemas({ directory, profile: 'orch' });
  });
  after(() => rm(directory, { recursive: true }));

  it('is a row like any other', () => {
    const row = registry.resourceForKind('garden.example.com', 'v1', 'Plant');
    assert.equal(row?.resource, 'plants');
    assert.equal(row.listKind, 'PlantList');
    assert.deepEqual(row.selectableFields, ['metadata.name', 'metadata.namespace', 'spec.species']);
    assert.ok(registry.stored().includes(row));
  });

  it('has types that share those of the others', () => {
    const plant = registry.decodable('garden.example.com', 'v1', 'Plant');
    const metadata = plant?.field.get('metadata')?.type;
    const expected = registry.type('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta');
    assert.equal(metadata?.kind === 'struct' && metadata.struct, expected);
    const spec = registry.type('com.example.garden.v1.PlantSpec');
    assert.deepEqual(spec?.field.get('pot')?.type, { kind: 'string', enum: ['Clay', 'Plastic'] });
  });

  it('is discovered', () => {
    const documents = new DiscoveryDocuments({ registry, names, serverAddress: 'localhost:6443' });
    const list = JSON.parse(String(documents.resources('garden.example.com', 'v1')?.json)) as JsonObject;
    const listed = (list.resources as JsonObject[]).map(({ name }) => name);
    assert.deepEqual(listed, ['plants', 'plants/status']);
  });

  it('is described by OpenAPI', async () => {
    const texts = { 'com.example.garden.PlantSpec': { '.': 'What grows.', pot: 'What it grows in.' } };
    const options = { registry, names, version: '1.32', cbor: false, descriptions: () => texts };
    const documents = new OpenApiDocuments(options);
    const bytes = (await documents.v3('apis/garden.example.com/v1'))?.bytes ?? new Uint8Array();
    const { components, paths } = JSON.parse(Buffer.from(bytes).toString()) as {
      components: { schemas: Record<string, JsonObject> };
      paths: JsonObject;
    };
    assert.ok(paths['/apis/garden.example.com/v1/namespaces/{namespace}/plants/{name}/status']);
    const spec = components.schemas['com.example.garden.v1.PlantSpec']?.properties as Record<
      string,
      JsonObject
    >;
    assert.deepEqual(spec.pot, {
      description: 'What it grows in.',
      enum: ['Clay', 'Plastic'],
      type: 'string',
    });
    assert.equal(components.schemas['com.example.garden.v1.PlantSpec']?.description, 'What grows.');
    assert.equal(spec.waterings?.['x-orch-patch-merge-key'], 'day');
  });

  for (const [title, from, to, complaint] of [
    [
      'a type that does not exist',
      'list: Watering',
      'list: Watring',
      /PlantSpec\.waterings: no type Watring/,
    ],
    [
      'a type of a file that does not exist',
      'meta.v1.ListMeta',
      'mta.v1.ListMeta',
      /no type mta\.v1\.ListMeta/,
    ],
    [
      'a stored version that does not exist',
      'version: v1, prefix',
      'version: v2, prefix',
      /no file for garden\.example\.com\/v2/,
    ],
  ] as const) {
    it(`is refused by the build with ${title}`, () => {
      const source = withGarden((file) => file.replace(from, to));
      assert.throws(() => buildTypes(source, 'orch', (name) => name), complaint);
    });
  }
});
