import assert from 'node:assert/strict';
import { createHmac, X509Certificate, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { isObject } from '../../src/meta/fields.ts';
import type { ApiObject, JsonObject } from '../../src/meta/object.ts';
import { loadNames } from '../../src/names/load.ts';
import { makeRequest, type RequestTemplate } from '../support/certificate-requests.ts';
import { askAs, waitAs, type Asker, type Reply } from '../support/https-ask.ts';
import { PROFILES } from '../support/schemas.ts';
import { startProcess, type ServerProcess } from '../support/server-process.ts';

const ID = 'abcdef';
const SECRET = '0123456789abcdef';

/** What a kubeconfig of ours holds, as far as it is needed here. */
interface Kubeconfig {
  readonly clusters: { cluster: { server: string; 'certificate-authority-data': string } }[];
  readonly users: { user: { 'client-certificate-data': string; 'client-key-data': string } }[];
}

for (const profile of PROFILES) {
  describe(`a node that joins, naming=${profile}`, function () {
    this.timeout(60_000);
    const names = loadNames({ profile });
    const group = (name: string): string => names.get(`group.${name}`);
    const requests = `/apis/${group('certificates')}/v1/certificatesigningrequests`;
    let server: ServerProcess;
    let admin: Asker & { readonly ca: string };

    before(async () => {
      server = await startProcess({
        args: [
          `--naming=${profile}`,
          '--authorization-mode=Node,RBAC',
          '--enable-bootstrap-token-auth',
          '--enable-admission-plugins=NodeRestriction',
          '--controllers=*,tokencleaner,bootstrapsigner',
        ],
      });
      const { clusters, users } = parse(readFileSync(server.kubeconfig, 'utf8')) as Kubeconfig;
      admin = {
        server: server.url,
        ca: atob(clusters[0]?.cluster['certificate-authority-data'] ?? ''),
        cert: atob(users[0]?.user['client-certificate-data'] ?? ''),
        key: atob(users[0]?.user['client-key-data'] ?? ''),
      };
    });
    after(() => server.stop());

    const expect = async (status: number, asker: Asker, line: string, body?: unknown): Promise<ApiObject> => {
      const reply: Reply = await askAs(asker, line, body);
      assert.equal(reply.status, status, `${line}: ${JSON.stringify(reply.object)}`);
      return reply.object;
    };
    /** Lets a group have a cluster role. */
    const bind = (name: string, role: string, to: string): Promise<ApiObject> =>
      expect(201, admin, `POST /apis/${group('rbac')}/v1/clusterrolebindings`, {
        metadata: { name },
        roleRef: { apiGroup: group('rbac'), kind: 'ClusterRole', name: role },
        subjects: [{ apiGroup: group('rbac'), kind: 'Group', name: to }],
      });
    const requestSpec = async (template: RequestTemplate): Promise<{ spec: JsonObject; key: KeyObject }> => {
      const { pem, key } = await makeRequest(template);
      const spec = {
        request: btoa(pem),
        signerName: names.get('signer.kube-apiserver-client-kubelet'),
        usages: ['digital signature', 'client auth'],
      };
      return { spec, key };
    };
    const answered = (name: string, wanted: (status: JsonObject) => boolean): Promise<ApiObject> => {
      const path = `${requests}?watch=true&fieldSelector=metadata.name%3D${name}`;
      return waitAs(admin, path, ({ status }) => isObject(status) && wanted(status));
    };
    const nodeTemplate = (node: string): RequestTemplate => ({
      commonName: `system:node:${node}`,
      organizations: ['system:nodes'],
    });
    /** Asks for a certificate and waits for it. */
    const certify = async (asker: Asker, name: string, template: RequestTemplate): Promise<Asker> => {
      const { spec, key } = await requestSpec(template);
      await expect(201, asker, `POST ${requests}`, { metadata: { name }, spec });
      const { status } = await answered(name, ({ certificate }) => certificate !== undefined);
      const pem = key.export({ type: 'pkcs8', format: 'pem' }).toString();
      const cert = atob((status as { certificate: string }).certificate);
      return { server: admin.server, ca: admin.ca, cert, key: pem };
    };

    let bootstrap: Asker;
    let node: Asker;

    it('is given a token', async () => {
      await expect(201, admin, `POST /api/v1/namespaces/${names.get('namespace.system')}/secrets`, {
        metadata: { name: `bootstrap-token-${ID}` },
        type: names.get('secretType.bootstrap-token'),
        stringData: {
          'token-id': ID,
          'token-secret': SECRET,
          'usage-bootstrap-authentication': 'true',
          'usage-bootstrap-signing': 'true',
        },
      });
      await bind('bootstrap', 'system:node-bootstrapper', 'system:bootstrappers');
      bootstrap = { server: admin.server, ca: admin.ca, token: `${ID}.${SECRET}` };
    });

    it('learns of the cluster from somebody it does not know yet, by the signature of its token', async () => {
      const nobody = { server: admin.server, ca: admin.ca };
      const signature = `jws-kubeconfig-${ID}`;
      const path = `/api/v1/namespaces/${names.get('namespace.public')}/configmaps`;
      await waitAs(admin, `${path}?watch=true`, ({ data }) => isObject(data) && signature in data);
      const { data } = await expect(200, nobody, `GET ${path}/cluster-info`);
      const { kubeconfig = '', [signature]: jws = '' } = data as Record<string, string>;
      const [header, , sum] = jws.split('.');
      const signed = `${header}.${Buffer.from(kubeconfig).toString('base64url')}`;
      assert.equal(createHmac('sha256', SECRET).update(signed).digest('base64url'), sum);
      const [entry] = (parse(kubeconfig) as Kubeconfig).clusters;
      assert.equal(entry?.cluster.server, server.url);
      assert.equal(atob(entry?.cluster['certificate-authority-data'] ?? ''), admin.ca);
      await expect(403, nobody, `GET ${path}`);
    });

    it('may do nothing with the token but ask for a certificate', async () => {
      await expect(403, bootstrap, 'GET /api/v1/nodes');
      await expect(401, { ...bootstrap, token: `${ID}.0123456789abcdeg` }, 'GET /api/v1/nodes');
    });

    it('waits for its certificate until somebody lets such requests be approved', async () => {
      const { spec } = await requestSpec(nodeTemplate('eins'));
      await expect(201, bootstrap, `POST ${requests}`, { metadata: { name: 'early' }, spec });
      const role = `system:${group('certificates')}:certificatesigningrequests:nodeclient`;
      await bind('approve-nodes', role, 'system:bootstrappers');
      await answered('early', ({ certificate }) => certificate !== undefined);
    });

    it('has a certificate that names it, and is that node by it', async () => {
      node = await certify(bootstrap, 'eins', nodeTemplate('eins'));
      const certificate = new X509Certificate(node.cert ?? '');
      const authority = new X509Certificate(admin.ca);
      assert.ok(certificate.verify(authority.publicKey) && certificate.checkIssued(authority));
      assert.deepEqual(certificate.subject.split('\n'), ['O=system:nodes', 'CN=system:node:eins']);
      assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.2']);
      assert.equal(certificate.ca, false);
      const review = await expect(
        201,
        node,
        `POST /apis/${group('authentication')}/v1/selfsubjectreviews`,
        {},
      );
      const { userInfo } = review['status'] as { userInfo: { username: string; groups: string[] } };
      assert.equal(userInfo.username, 'system:node:eins');
      assert.deepEqual(userInfo.groups, ['system:nodes', 'system:authenticated']);
    });

    it('registers itself, and nobody else', async () => {
      await expect(201, node, 'POST /api/v1/nodes', {
        metadata: { name: 'eins', labels: { [names.get('label.hostname')]: 'eins' } },
      });
      const ready = { status: { conditions: [{ type: 'Ready', status: 'True' }] } };
      await expect(200, node, 'PATCH /api/v1/nodes/eins/status', ready);
      await expect(403, node, 'POST /api/v1/nodes', { metadata: { name: 'zwei' } });
      await expect(201, admin, 'POST /api/v1/nodes', { metadata: { name: 'zwei' } });
      await expect(403, node, 'PATCH /api/v1/nodes/zwei/status', ready);
      const labels = { [`${names.get('domain.node-restriction')}/trusted`]: 'true' };
      await expect(403, node, 'PATCH /api/v1/nodes/eins', { metadata: { labels } });
      await expect(403, node, 'PATCH /api/v1/nodes/eins', {
        spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] },
      });
      await expect(403, node, `GET /api/v1/namespaces/${names.get('namespace.system')}/secrets`);
    });

    it('keeps its own lease', async () => {
      const leases = (namespace: string): string =>
        `/apis/${group('coordination')}/v1/namespaces/${namespace}/leases`;
      const own = leases(names.get('namespace.node-lease'));
      await expect(201, node, `POST ${own}`, { metadata: { name: 'eins' } });
      await expect(403, node, `POST ${own}`, { metadata: { name: 'zwei' } });
      await expect(403, node, `POST ${leases('default')}`, { metadata: { name: 'eins' } });
    });

    it('renews its certificate by itself, for itself', async () => {
      const role = `system:${group('certificates')}:certificatesigningrequests:selfnodeclient`;
      await bind('renew-nodes', role, 'system:nodes');
      const renewed = await certify(node, 'renewed', nodeTemplate('eins'));
      await expect(200, renewed, 'GET /api/v1/nodes/eins');
      const { spec } = await requestSpec(nodeTemplate('zwei'));
      await expect(403, node, `POST ${requests}`, { metadata: { name: 'stolen' }, spec });
    });

    it('gets none that says more than that it is a node', async () => {
      const master = await requestSpec({ commonName: 'system:node:eins', organizations: ['system:masters'] });
      await expect(201, bootstrap, `POST ${requests}`, { metadata: { name: 'master' }, spec: master.spec });
      const approved = { status: { conditions: [{ type: 'Approved', status: 'True', reason: 'Mistake' }] } };
      await expect(200, admin, `PATCH ${requests}/master/approval`, approved);
      const { status } = await answered('master', ({ conditions }) =>
        JSON.stringify(conditions).includes('Failed'),
      );
      const { certificate, conditions } = status as { certificate?: string; conditions: JsonObject[] };
      assert.equal(certificate, undefined);
      assert.equal(conditions.at(-1)?.['reason'], 'SignerValidationFailure');
      const signerName = names.get('signer.kube-apiserver-client');
      await expect(403, admin, `POST ${requests}`, {
        metadata: { name: 'client' },
        spec: { ...master.spec, signerName },
      });
      await expect(403, bootstrap, `PATCH ${requests}/master/approval`, approved);
    });

    it('asks whose tokens it is shown, and what they may do on it', async () => {
      const review = async (kind: string, of: string, spec: JsonObject): Promise<JsonObject> => {
        const path = `/apis/${group(of)}/v1/${kind.toLowerCase()}s`;
        return (await expect(201, node, `POST ${path}`, { spec })).status as JsonObject;
      };
      const known = await review('TokenReview', 'authentication', { token: `${ID}.${SECRET}` });
      assert.equal(known['authenticated'], true);
      assert.equal((known['user'] as JsonObject)['username'], `system:bootstrap:${ID}`);
      const unknown = await review('TokenReview', 'authentication', { token: `${ID}.0123456789abcdeg` });
      assert.notEqual(unknown['authenticated'], true);
      const allowed = async (verb: string): Promise<string[]> => {
        const answers = ['stats', 'metrics', 'log', 'spec', 'proxy', ''].map(async (subresource) => {
          const resourceAttributes = { verb, resource: 'nodes', subresource, name: 'eins', version: 'v1' };
          const spec = { user: 'monitor', groups: ['monitors'], resourceAttributes };
          const { allowed } = await review('SubjectAccessReview', 'authorization', spec);
          return allowed === true ? [subresource] : [];
        });
        return (await Promise.all(answers)).flat();
      };
      assert.deepEqual(await allowed('get'), []);
      await bind('monitors', 'system:kubelet-api-admin', 'monitors');
      assert.deepEqual(await allowed('get'), ['stats', 'metrics', 'log', 'proxy', '']);
      assert.deepEqual(await allowed('create'), ['stats', 'metrics', 'log', 'proxy']);
    });

    it('does not join with a token that has ended, which goes', async () => {
      const secrets = `/api/v1/namespaces/${names.get('namespace.system')}/secrets`;
      await expect(200, admin, `PATCH ${secrets}/bootstrap-token-${ID}`, {
        stringData: { expiration: '2020-01-01T00:00:00Z' },
      });
      await expect(401, bootstrap, `GET ${requests}`);
      const info = `/api/v1/namespaces/${names.get('namespace.public')}/configmaps?watch=true`;
      await waitAs(admin, info, ({ data }) => isObject(data) && !(`jws-kubeconfig-${ID}` in data));
    });
  });
}
