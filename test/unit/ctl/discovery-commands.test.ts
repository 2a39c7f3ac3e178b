import assert from 'node:assert/strict';
import { runLine } from '../../support/run-line.ts';

const VERSION = { major: '1', minor: '32', gitVersion: 'v1.32.13', compiler: 'gc' };

describe('orchctl about a server', () => {
  it('lists resources by group', async () => {
    const { stdout } = await runLine(['api-resources']);
    assert.equal(stdout.split('\n')[0], 'NAME          SHORTNAMES   APIVERSION   NAMESPACED   KIND');
    assert.match(stdout, /^pods {10}po {11}v1 {11}true {9}Pod$/m);
    assert.match(stdout, /^deployments {3}deploy {7}apps\/v1 {6}true {9}Deployment$/m);
  });

  it('chooses among resources', async () => {
    const names = async (...flags: string[]): Promise<string> =>
      (await runLine(['api-resources', '-o', 'name', ...flags])).stdout;
    assert.equal(await names('--namespaced=false'), 'namespaces\nnodes\n');
    assert.equal(await names('--api-group=apps'), 'deployments.apps\nreplicasets.apps\n');
    assert.equal(await names('--categories=all', '--sort-by=name'), 'deployments.apps\npods\nservices\n');
    assert.equal(await names('--verbs=connect'), '');
  });

  it('lists versions', async () => {
    assert.equal((await runLine(['api-versions'])).stdout, 'apps/v1\nv1\n');
  });

  it('tells its own version without a server, and that of one', async () => {
    const own = await runLine(['version', '--client']);
    assert.match(own.stdout, /^Client Version: v1\.32\.\d+\+orch\.\S+\n$/);
    assert.deepEqual(own.requests, []);
    const both = await runLine(['version', '-ojson'], { answers: { '/version': VERSION } });
    const { serverVersion } = JSON.parse(both.stdout) as { serverVersion: object };
    assert.deepEqual(serverVersion, VERSION);
  });

  it('warns of a server that is too far away', async () => {
    const { stderr } = await runLine(['version'], { answers: { '/version': { ...VERSION, minor: '29+' } } });
    assert.match(stderr, /client \(1\.32\) and server \(1\.29\+\) exceeds the supported minor version skew/);
  });

  it('tells its own version also where the server fails', async () => {
    const { stdout, stderr, code } = await runLine(['version']);
    assert.match(stdout, /^Client Version/);
    assert.match(stderr, /^Error from server \(NotFound\)/);
    assert.equal(code, 1);
  });

  it('says so when the server has another naming profile than is asked for', async () => {
    const { stderr, code } = await runLine(['get', 'pods', '--naming=orch']);
    assert.match(stderr, /doesn't tell what it serves in the names of orch\n.*another naming profile/);
    assert.equal(code, 1);
  });

  it('says where the control plane is', async () => {
    const { stdout } = await runLine(['cluster-info'], {
      answers: {
        '/api/v1/namespaces/kube-system/services?labelSelector=kubernetes.io/cluster-service=true&limit=500':
          {
            kind: 'ServiceList',
            apiVersion: 'v1',
            items: [
              {
                metadata: { name: 'dns', namespace: 'kube-system' },
                spec: { ports: [{ name: 'dns', port: 53 }] },
              },
            ],
          },
      },
    });
    assert.equal(
      stdout,
      'Kubernetes control plane is running at https://server\ndns is running at https://server/api/v1/namespaces/kube-system/services/dns:dns/proxy\n',
    );
  });
});
