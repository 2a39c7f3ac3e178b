import assert from 'node:assert/strict';
import { parse } from 'yaml';
import { clusterInfo } from '../../../src/app/cluster-info.ts';
import { loadNames } from '../../../src/names/load.ts';
import type { JsonObject } from '../../../src/meta/object.ts';
import { PROFILES } from '../../support/schemas.ts';

const AUTHORITY = `-----BEGIN CERTIFICATE-----\n${'A'.repeat(2000)}\n-----END CERTIFICATE-----\n`;

describe('what new nodes read of the cluster', () => {
  for (const profile of PROFILES) {
    const names = loadNames({ profile });
    const make = (address: string) => clusterInfo({ names, address, port: 6443, authority: AUTHORITY });

    it(`names the server and its authority, naming=${profile}`, () => {
      for (const [address, server] of [
        ['192.0.2.7', 'https://192.0.2.7:6443'],
        ['2001:db8::7', 'https://[2001:db8::7]:6443'],
        ['orch.example.com', 'https://orch.example.com:6443'],
      ] as const) {
        const [info] = make(address);
        const { kubeconfig } = info?.['data'] as { kubeconfig: string };
        assert.deepEqual((parse(kubeconfig) as JsonObject)['clusters'], [
          { name: '', cluster: { 'certificate-authority-data': btoa(AUTHORITY), server } },
        ]);
      }
    });

    it(`may be read by everybody, and nothing else, naming=${profile}`, () => {
      const [info, role, binding] = make('192.0.2.7');
      const namespace = names.get('namespace.public');
      for (const object of [info, role, binding]) assert.equal(object?.metadata.namespace, namespace);
      assert.deepEqual(role?.['rules'], [
        { verbs: ['get'], apiGroups: [''], resources: ['configmaps'], resourceNames: ['cluster-info'] },
      ]);
      assert.deepEqual((binding?.['roleRef'] as JsonObject)['name'], role?.metadata.name);
      const groups = (binding?.['subjects'] as JsonObject[]).map(({ name }) => name);
      assert.deepEqual(groups, ['system:authenticated', 'system:unauthenticated']);
    });
  }
});
