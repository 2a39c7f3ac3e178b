import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { DiscoveryDocuments } from '../../../src/http/discovery/documents.ts';
import { nameTranslator } from '../../../src/names/translate.ts';
import type { NamingProfile } from '../../../src/names/profile.ts';
import type { JsonObject } from '../../../src/meta/object.ts';
import type { SchemaRegistry } from '../../../src/schema/model.ts';
import { openSchemas, readFact, type Setting } from '../../support/schemas.ts';

const SERVER = '<addr>:<port>';

function documents(profile: 'orch' | 'kubernetes', setting: Setting = 'default'): DiscoveryDocuments {
  return new DiscoveryDocuments({ ...openSchemas(profile, setting), serverAddress: SERVER });
}

function parse(document: { json: Buffer } | undefined): JsonObject {
  assert.ok(document, 'there is a document');
  return JSON.parse(document.json.toString()) as JsonObject;
}

interface Aggregated {
  items: { metadata: { name?: string }; versions: { version: string }[] }[];
}

/** The facts leave out times that are null. */
function withoutTimes(list: JsonObject): Aggregated & JsonObject {
  const copy = structuredClone(list) as Aggregated & JsonObject;
  for (const item of copy.items as { metadata: JsonObject }[]) delete item.metadata.creationTimestamp;
  return copy;
}

describe('discovery', () => {
  const plain = readFact<Record<string, JsonObject>>('discovery-unaggregated.json');
  const plainAll = readFact<{ resourceLists: Record<string, JsonObject> }>('discovery-unaggregated-all.json');
  const aggregated = readFact<Record<string, JsonObject>>('discovery.json');
  const aggregatedAll = readFact<{ apis: Aggregated }>('discovery-all.json');

  describe('equals the reference', () => {
    const served = documents('kubernetes');

    it('at /api', () => assert.deepEqual(parse(served.coreVersions()), plain['/api']));
    it('at /apis', () => {
      const { kind, ...list } = parse(served.groupList());
      const { kind: _kind, ...expected } = plain['/apis'] ?? {};
      assert.equal(kind, 'APIGroupList');
      assert.deepEqual(list, expected);
    });
    for (const [path, expected] of Object.entries(plain.groups ?? {})) {
      it(`at ${path}`, () => assert.deepEqual(parse(served.group(path.slice('/apis/'.length))), expected));
    }
    for (const [path, expected] of Object.entries(plain.resourceLists ?? {})) {
      it(`at ${path}`, () => assert.deepEqual(parse(served.resources(...groupVersion(path))), expected));
    }
    for (const [path, expected] of Object.entries(plainAll.resourceLists)) {
      const all = documents('kubernetes', 'all');
      it(`at ${path}, switched on`, () =>
        assert.deepEqual(parse(all.resources(...groupVersion(path))), expected));
    }
    for (const root of ['api', 'apis'] as const) {
      it(`at /${root}, aggregated`, () =>
        assert.deepEqual(withoutTimes(parse(served.aggregated(root, 'v2'))), {
          kind: 'APIGroupDiscoveryList',
          metadata: {},
          ...aggregated[root],
        }));
    }
    it('at /apis, aggregated, with everything switched on', () => {
      const list = withoutTimes(parse(documents('kubernetes', 'all').aggregated('apis', 'v2')));
      const byDefault = new Set((aggregated.apis as unknown as Aggregated).items.flatMap(versionsOf));
      const added = list.items
        .map((item) => ({
          ...item,
          versions: item.versions.filter(
            ({ version }) => !byDefault.has(`${item.metadata.name ?? ''}/${version}`),
          ),
        }))
        .filter(({ versions }) => versions.length > 0);
      const byName = (a: Aggregated['items'][number], b: Aggregated['items'][number]): number =>
        (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1;
      assert.deepEqual(added.sort(byName), aggregatedAll.apis.items.sort(byName));
    });
  });

  it('orders groups and versions as APIService ranks do', () => {
    const list = parse(documents('orch', 'all').groupList());
    const groups = list.groups as unknown as { name: string; versions: { version: string }[] }[];
    const named = new Map(
      groups.map(({ name, versions }) => [name, versions.map(({ version }) => version).join()]),
    );
    assert.deepEqual([...named.keys()].slice(0, 3), ['apiregistration.orch.io', 'apps', 'events.orch.io']);
    assert.equal(named.get('storage.orch.io'), 'v1,v1beta1,v1alpha1');
    assert.equal(named.get('autoscaling'), 'v2,v1');
  });

  it('answers the same in both profiles but for names', () => {
    const profiles = { orch: openSchemas('orch'), kubernetes: openSchemas('kubernetes') };
    const translator = nameTranslator(nameList(profiles.kubernetes.names), nameList(profiles.orch.names));
    const inOrch = parse(documents('orch').aggregated('apis', 'v2'));
    assert.deepEqual(
      inOrch,
      plainJson(translator.json(parse(documents('kubernetes').aggregated('apis', 'v2')))),
    );
  });

  it('serves v2beta1 of the aggregated form under its own version', () => {
    assert.equal(
      parse(documents('orch').aggregated('api', 'v2beta1')).apiVersion,
      'apidiscovery.orch.io/v2beta1',
    );
  });

  it('has the SHA-512 of the text as etag of aggregated documents', () => {
    const { etag, json } = documents('orch').aggregated('apis', 'v2');
    assert.equal(etag, `"${createHash('sha512').update(json).digest('hex').toUpperCase()}"`);
  });

  it('has no documents for groups and versions that are not served', () => {
    const served = documents('orch');
    assert.equal(served.group('nope'), undefined);
    assert.equal(served.group(''), undefined);
    assert.equal(served.resources('apps', 'v2'), undefined);
    assert.equal(served.resources('nope', 'v1'), undefined);
    assert.equal(served.resources('storage.orch.io', 'v1beta1'), undefined);
    assert.equal(served.resources('__proto__', 'constructor'), undefined);
  });

  it('builds a document once and again when the registry changes', () => {
    const { registry, names } = openSchemas('orch');
    let generation = 1;
    const changing = changingRegistry(registry, () => generation);
    const served = new DiscoveryDocuments({ registry: changing, names, serverAddress: SERVER });
    const first = served.aggregated('apis', 'v2');
    assert.equal(served.aggregated('apis', 'v2'), first);
    generation = 2;
    assert.notEqual(served.aggregated('apis', 'v2'), first);
    assert.equal(served.aggregated('apis', 'v2').etag, first.etag);
  });
});

function changingRegistry(registry: SchemaRegistry, generation: () => number): SchemaRegistry {
  return {
    get generation() {
      return generation();
    },
    groups: () => registry.groups(),
    resourcesOf: (group, version) => registry.resourcesOf(group, version),
    resource: (group, version, resource) => registry.resource(group, version, resource),
    resourceForKind: (group, version, kind) => registry.resourceForKind(group, version, kind),
    decodable: (group, version, kind) => registry.decodable(group, version, kind),
    stored: () => registry.stored(),
    type: (name) => registry.type(name),
    kindsOf: (name) => registry.kindsOf(name),
  };
}

function groupVersion(path: string): [string, string] {
  const [, root, group = '', version = ''] = path.split('/');
  return root === 'api' ? ['', group] : [group, version];
}

function versionsOf(item: Aggregated['items'][number]): string[] {
  return item.versions.map(({ version }) => `${item.metadata.name ?? ''}/${version}`);
}

function nameList(names: NamingProfile): Record<string, string> {
  return Object.fromEntries(names.ids().map((id) => [id, names.get(id)]));
}

/** Ordinary objects, where a translation made ones without prototype. */
function plainJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
