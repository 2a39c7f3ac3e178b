import assert from 'node:assert/strict';
import { loadSchemas } from '../../../src/schema/load.ts';
import type { SchemaRegistry } from '../../../src/schema/model.ts';
import { openSchemas, readFact } from '../../support/schemas.ts';

const { registry } = openSchemas('orch');

function servedVersions(schemas: SchemaRegistry, group: string): readonly string[] {
  return schemas.groups().find(({ name }) => name === group)?.versions ?? [];
}

/** Key prefixes as the reference server lays out its store, where they aren't the plural. */
const PREFIXES: Record<string, string> = {
  nodes: '/minions',
  services: '/services/specs',
  endpoints: '/services/endpoints',
  replicationcontrollers: '/controllers',
  ingresses: '/ingress',
  customresourcedefinitions: '/apiextensions.orch.io/customresourcedefinitions',
  apiservices: '/apiregistration.orch.io/apiservices',
};

/** Versions that earlier releases served, each with a kind that stored objects may have. */
const REMOVED: [group: string, version: string, kind: string][] = [
  ['flowcontrol.apiserver.orch.io', 'v1beta3', 'FlowSchema'],
  ['flowcontrol.apiserver.orch.io', 'v1beta2', 'PriorityLevelConfiguration'],
  ['flowcontrol.apiserver.orch.io', 'v1beta1', 'FlowSchema'],
  ['storage.orch.io', 'v1beta1', 'CSIStorageCapacity'],
  ['autoscaling', 'v2beta2', 'HorizontalPodAutoscaler'],
  ['autoscaling', 'v2beta1', 'HorizontalPodAutoscaler'],
  ['batch', 'v1beta1', 'CronJob'],
  ['discovery.orch.io', 'v1beta1', 'EndpointSlice'],
  ['events.orch.io', 'v1beta1', 'Event'],
  ['policy', 'v1beta1', 'PodDisruptionBudget'],
  ['node.orch.io', 'v1beta1', 'RuntimeClass'],
  ['admissionregistration.orch.io', 'v1beta1', 'ValidatingWebhookConfiguration'],
  ['apiextensions.orch.io', 'v1beta1', 'CustomResourceDefinition'],
  ['apiregistration.orch.io', 'v1beta1', 'APIService'],
  ['authentication.orch.io', 'v1beta1', 'TokenReview'],
  ['authorization.orch.io', 'v1beta1', 'SubjectAccessReview'],
  ['coordination.orch.io', 'v1beta1', 'Lease'],
  ['scheduling.orch.io', 'v1beta1', 'PriorityClass'],
  ['networking.orch.io', 'v1beta1', 'IngressClass'],
  ['networking.orch.io', 'v1beta1', 'Ingress'],
  ['rbac.authorization.orch.io', 'v1beta1', 'ClusterRole'],
  ['certificates.orch.io', 'v1beta1', 'CertificateSigningRequest'],
  ['extensions', 'v1beta1', 'Ingress'],
  ['extensions', 'v1beta1', 'NetworkPolicy'],
  ['apps', 'v1beta2', 'Deployment'],
  ['apps', 'v1beta1', 'StatefulSet'],
  ['storage.orch.io', 'v1beta1', 'VolumeAttachment'],
];

describe('the registry of built-in resources', () => {
  it('serves stable versions and nothing else by default', () => {
    for (const { versions } of registry.groups()) {
      for (const version of versions) assert.match(version, /^v\d+$/);
    }
    assert.equal(registry.resource('storage.orch.io', 'v1beta1', 'volumeattributesclasses'), undefined);
  });

  it('serves what is switched on, one resource if need be', () => {
    const schemas = loadSchemas({
      profile: 'orch',
      enabled: (group, version, resource) =>
        group === 'resource.orch.io' && `${version}/${resource}` === 'v1beta1/deviceclasses',
    });
    assert.deepEqual(
      schemas.groups().map(({ name, preferredVersion }) => [name, preferredVersion]),
      [['resource.orch.io', 'v1beta1']],
    );
    assert.deepEqual(
      schemas.resourcesOf('resource.orch.io', 'v1beta1').map(({ resource }) => resource),
      ['deviceclasses'],
    );
    assert.deepEqual(
      schemas.stored().map(({ storage }) => storage?.prefix),
      ['/deviceclasses'],
    );
  });

  it('prefers the next version when the first is switched off', () => {
    const schemas = loadSchemas({
      profile: 'orch',
      enabled: (group, version) => group === 'autoscaling' && version === 'v1',
    });
    assert.equal(schemas.groups()[0]?.preferredVersion, 'v1');
    assert.equal(schemas.stored()[0]?.version, 'v2', 'while the stored version stays');
  });

  it('serves what depends on a gate only where the gate is on', () => {
    const enabled = (): boolean => true;
    const closed = loadSchemas({ profile: 'orch', enabled });
    const opened = loadSchemas({
      profile: 'orch',
      enabled,
      gate: (name) => name === 'InPlacePodVerticalScaling',
    });
    assert.equal(closed.resource('', 'v1', 'pods')?.subresources.has('resize'), false);
    assert.equal(opened.resource('', 'v1', 'pods')?.subresources.has('resize'), true);
    assert.equal(opened.resource('certificates.orch.io', 'v1alpha1', 'clustertrustbundles'), undefined);
  });

  it('keeps groups and their versions in discovery order', () => {
    const names = registry.groups().map(({ name }) => name);
    assert.deepEqual(names.slice(0, 4), ['', 'apiregistration.orch.io', 'apps', 'events.orch.io']);
    assert.deepEqual(servedVersions(openSchemas('orch', 'all').registry, 'admissionregistration.orch.io'), [
      'v1',
      'v1beta1',
      'v1alpha1',
    ]);
  });

  it('finds rows by resource and by kind', () => {
    const pods = registry.resource('', 'v1', 'pods');
    assert.ok(pods);
    assert.equal(registry.resourceForKind('', 'v1', 'Pod'), pods);
    assert.equal(registry.resourceForKind('apps', 'v1', 'Pod'), undefined);
    assert.equal(registry.resource('', 'v1', '__proto__'), undefined);
    assert.deepEqual(registry.resourcesOf('__proto__', 'constructor'), []);
  });

  describe('storage', () => {
    const all = openSchemas('orch', 'all').registry;

    it('has one row per key prefix, of the stored version', () => {
      const rows = all.stored();
      const prefixes = rows.map(({ storage }) => storage?.prefix);
      assert.equal(new Set(prefixes).size, prefixes.length);
      for (const { group, storage, version } of rows) {
        assert.deepEqual([group, version], [storage?.group, storage?.version], storage?.prefix);
      }
    });

    it('lays out keys as the reference does', () => {
      for (const { resource, storage } of all.stored()) {
        assert.equal(storage?.prefix, PREFIXES[resource] ?? `/${resource}`);
      }
    });

    it('is shared by the versions of a resource, across groups for events', () => {
      const prefixes = [all.resource('', 'v1', 'events'), all.resource('events.orch.io', 'v1', 'events')].map(
        (row) => row?.storage,
      );
      assert.deepEqual(prefixes[0], prefixes[1]);
      assert.equal(prefixes[0]?.ttl, 'events');
      const claims = ['v1alpha3', 'v1beta1'].map(
        (v) => all.resource('resource.orch.io', v, 'resourceclaims')?.storage,
      );
      assert.deepEqual(claims[0], claims[1]);
    });

    it('is absent for virtual kinds', () => {
      assert.equal(
        registry.resource('authorization.orch.io', 'v1', 'subjectaccessreviews')?.storage,
        undefined,
      );
      assert.equal(registry.resource('', 'v1', 'componentstatuses')?.storage, undefined);
    });
  });

  describe('kinds that can be decoded', () => {
    for (const [group, version, kind] of REMOVED) {
      it(`include ${group}/${version} ${kind}, which is never served`, () => {
        const type = registry.decodable(group, version, kind);
        assert.ok(type?.field.has('apiVersion'));
        const { registry: everything } = openSchemas('orch', 'all');
        assert.equal(everything.resourceForKind(group, version, kind), undefined);
      });
    }

    it('include every kind that the reference release knows, but those without a type', () => {
      const { registry: schemas } = openSchemas('kubernetes');
      const missing = Object.keys(readFact<Record<string, unknown>>('lifecycle.json')).filter((key) => {
        const [group = '', version = '', kind = ''] = key.split('/');
        return schemas.decodable(group, version, kind) === undefined;
      });
      assert.deepEqual(missing, []);
    });

    it('include options and statuses', () => {
      const options = registry.decodable('', 'v1', 'DeleteOptions');
      assert.ok(options);
      assert.equal(
        registry.decodable('apps', 'v1beta1', 'DeleteOptions'),
        options,
        'in every version of the scheme',
      );
      assert.equal(registry.decodable('meta.orch.io', 'v1', 'DeleteOptions'), undefined);
      assert.ok(registry.decodable('', 'v1', 'Status'));
      assert.equal(registry.decodable('apps', 'v1', 'Status'), undefined);
    });

    it('exclude types that are no kinds, and names of objects’ own', () => {
      for (const kind of ['PodSpec', 'Container', '__proto__', 'constructor', 'toString', '']) {
        assert.equal(registry.decodable('', 'v1', kind), undefined, kind);
      }
    });
  });

  it('knows since when a version exists and what replaces it', () => {
    const { registry: everything } = openSchemas('orch', 'all');
    assert.deepEqual(registry.resource('apps', 'v1', 'deployments')?.lifecycle, { introduced: '1.9' });
    const endpoints = everything.resource('storage.orch.io', 'v1beta1', 'volumeattributesclasses');
    assert.equal(endpoints?.lifecycle.introduced, '1.31');
  });

  it('knows how unusual resources are deleted, named and updated', () => {
    const row = (group: string, resource: string): object => {
      const found = registry.resource(group, 'v1', resource);
      assert.ok(found, resource);
      const { allowCreateOnUpdate, allowUnconditionalUpdate, defaultPropagation, nameRule, returnsDeleted } =
        found;
      return { allowCreateOnUpdate, allowUnconditionalUpdate, defaultPropagation, nameRule, returnsDeleted };
    };
    const usual = {
      allowCreateOnUpdate: false,
      allowUnconditionalUpdate: true,
      defaultPropagation: 'background',
      nameRule: 'dnsSubdomain',
      returnsDeleted: false,
    };
    assert.deepEqual(row('', 'configmaps'), usual);
    assert.deepEqual(row('batch', 'jobs'), { ...usual, defaultPropagation: 'orphan' });
    assert.deepEqual(row('', 'replicationcontrollers'), { ...usual, defaultPropagation: 'orphan' });
    assert.deepEqual(row('', 'services'), {
      ...usual,
      allowCreateOnUpdate: true,
      nameRule: 'dns1035Label',
      returnsDeleted: true,
    });
    assert.deepEqual(row('coordination.orch.io', 'leases'), {
      ...usual,
      allowCreateOnUpdate: true,
      allowUnconditionalUpdate: false,
    });
    assert.deepEqual(row('rbac.authorization.orch.io', 'roles'), {
      ...usual,
      allowCreateOnUpdate: true,
      nameRule: 'pathSegment',
    });
    assert.equal(registry.resource('', 'v1', 'pods')?.gracePeriodSeconds, 30);
    assert.equal(registry.resource('', 'v1', 'events')?.defaultPropagation, 'none');
  });
});
