import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/object.ts';
import { selfSigned } from '../../support/certificates.ts';
import { PROFILES } from '../../support/schemas.ts';
import { Cluster } from '../verbs/cluster.ts';

const MERGE = 'application/merge-patch+json';
const CORE = '/api/v1/namespaces/default';

for (const profile of PROFILES) {
  describe(`what clients are warned of (${profile})`, () => {
    let cluster: Cluster;
    beforeEach(async () => {
      cluster = await Cluster.open({ profile });
    });
    afterEach(() => cluster.close());

    const warningsAt = async (path: string, body: JsonObject): Promise<string[]> =>
      (await cluster.expect(201, `POST ${path}`, { body })).warnings;

    it('is an identity of nodes that nothing uses', async () => {
      const body = { metadata: { name: 'n' }, spec: { externalID: 'i-1' } };
      assert.deepEqual(await warningsAt('/api/v1/nodes', body), [
        'spec.externalID: deprecated, and not used',
      ]);
    });

    it('is an endpoint slice of host names, when it is made', async () => {
      const slices = `/apis/${cluster.names.get('group.discovery')}/v1/namespaces/default/endpointslices`;
      const body = {
        metadata: { name: 's' },
        addressType: 'FQDN',
        endpoints: [{ addresses: ['a.example'] }],
      };
      assert.equal((await warningsAt(slices, body)).length, 1);
      const patch = { body: { metadata: { labels: { a: 'b' } } }, contentType: MERGE };
      assert.deepEqual((await cluster.expect(200, `PATCH ${slices}/s`, patch)).warnings, []);
    });

    it('is an annotation of pods, or of templates, that has no effect', async () => {
      const critical = cluster.names.get('annotation.critical-pod');
      const metadata = { name: 'p', annotations: { [critical]: '' } };
      const spec = { containers: [{ name: 'c', image: 'i' }] };
      const told = [
        `metadata.annotations[${critical}]: non-functional in v1.16+; use the "priorityClassName" field instead`,
      ];
      assert.deepEqual(await warningsAt(`${CORE}/pods`, { metadata, spec }), told);
      const template = {
        metadata: { name: 't' },
        template: { metadata: { annotations: { [critical]: '' } }, spec },
      };
      assert.deepEqual(await warningsAt(`${CORE}/podtemplates`, template), [`template.${told[0]}`]);
    });

    it('is the check of mounted secrets, when it is newly asked for', async () => {
      const enforced = cluster.names.get('annotation.enforce-mountable-secrets');
      const metadata = { name: 'a', annotations: { [enforced]: 'true' } };
      assert.equal((await warningsAt(`${CORE}/serviceaccounts`, { metadata })).length, 1);
      const patch = { body: { metadata: { labels: { a: 'b' } } }, contentType: MERGE };
      assert.deepEqual((await cluster.expect(200, `PATCH ${CORE}/serviceaccounts/a`, patch)).warnings, []);
    });

    it('is a certificate without its key, and no data are told', async () => {
      const [one, other] = [await selfSigned(), await selfSigned()];
      const type = cluster.names.get('secretType.tls');
      const said = (cert: string, key: string, name: string): Promise<string[]> =>
        warningsAt(`${CORE}/secrets`, {
          metadata: { name },
          type,
          stringData: { 'tls.crt': cert, 'tls.key': key },
        });
      assert.deepEqual(await said(one.cert, one.key, 'good'), []);
      assert.deepEqual(await said('q', one.key, 'text'), ['tls: tls.crt holds no certificate in PEM form']);
      assert.deepEqual(await said(one.cert, '', 'half'), ['tls: tls.key holds no private key in PEM form']);
      assert.deepEqual(await said(one.cert, other.key, 'mixed'), [
        'tls: tls.key is not the key of the certificate in tls.crt',
      ]);
    });
  });
}
