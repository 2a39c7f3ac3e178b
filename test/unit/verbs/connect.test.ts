import assert from 'node:assert/strict';
import type { AdmissionPlugin, AdmissionRequest } from '../../../src/admission/admission.ts';
import { ApiError } from '../../../src/errors/api-error.ts';
import type { StreamResult } from '../../../src/verbs/result.ts';
import { Cluster } from './cluster.ts';

const POD = '/api/v1/namespaces/default/pods/p';

describe('requests that are passed on', () => {
  let cluster: Cluster;
  let asked: AdmissionRequest[];
  let refuses = false;

  const plugin: AdmissionPlugin = {
    name: 'Witness',
    operations: ['CONNECT'],
    mutate: (request) => void asked.push(request),
    validate(request) {
      asked.push(request);
      return refuses ? Promise.reject(new ApiError('Forbidden', 'not today')) : undefined;
    },
  };

  before(async () => {
    const locate = (address: string) => Promise.resolve([{ address, family: 4 }]);
    const nodeAgents = { addressTypes: ['InternalIP'], port: 10_250, locate };
    cluster = await Cluster.open({ plugins: [plugin], nodeAgents });
    await cluster.expect(201, 'POST /api/v1/nodes', {
      body: { metadata: { name: 'n' }, status: { addresses: [{ type: 'InternalIP', address: '10.0.0.1' }] } },
    });
    const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] };
    await cluster.expect(201, 'POST /api/v1/namespaces/default/pods', {
      body: { metadata: { name: 'p' }, spec },
    });
    await cluster.expect(200, `PATCH ${POD}/status`, {
      body: { status: { podIPs: [{ ip: '10.0.0.2' }] } },
      contentType: 'application/merge-patch+json',
    });
  });
  after(() => cluster.close());
  beforeEach(() => {
    asked = [];
    refuses = false;
  });

  for (const [line, subresource, options] of [
    [
      `POST ${POD}/exec?command=a&command=b&stdin=1&tty=false&container=c&other=x`,
      'exec',
      { kind: 'PodExecOptions', stdin: true, container: 'c', command: ['a', 'b'] },
    ],
    [`GET ${POD}/attach?stdout&stderr=0`, 'attach', { kind: 'PodAttachOptions', stdout: true }],
    [
      `POST ${POD}/portforward?ports=80,81&ports=82`,
      'portforward',
      { kind: 'PodPortForwardOptions', ports: [80, 81, 82] },
    ],
    [`PUT ${POD}/proxy/a/b?path=other`, 'proxy', { kind: 'PodProxyOptions', path: '/a/b' }],
  ] as const) {
    it(`ask both phases of admission for ${line.replace(POD, 'p')}`, async () => {
      const { result } = await cluster.expect(200, line);
      assert.equal(result?.kind, subresource === 'proxy' ? 'relay' : 'stream');
      assert.equal(asked.length, 2);
      for (const { operation, resource, namespace, name, object, connection, ...more } of asked) {
        assert.equal(operation, 'CONNECT');
        assert.deepEqual([resource.resource, more.subresource], ['pods', subresource]);
        assert.deepEqual([namespace, name], ['default', 'p']);
        assert.deepEqual([object, more.oldObject], [undefined, undefined]);
        assert.deepEqual(connection, { apiVersion: 'v1', ...options });
      }
    });

    it(`are refused by admission for ${line.replace(POD, 'p')}, before anything is looked up`, async () => {
      refuses = true;
      const { status, result } = await cluster.ask(line.replace('/pods/p/', '/pods/none/'));
      assert.equal(status, 403);
      assert.equal(result, undefined);
    });
  }

  it('go to the agent of the pod’s node, which translates for them as the gates say', async () => {
    const { result } = await cluster.expect(200, `POST ${POD}/exec?command=ls&stdout=1`);
    const { source } = result as StreamResult;
    assert.deepEqual(source, {
      backend: { scheme: 'https', host: '10.0.0.1', port: 10_250, isNodeAgent: true },
      path: '/exec/default/p/c?command=ls&output=1',
      translation: { to: 'channels', stdin: false, stdout: true, stderr: false, tty: false },
    });
  });
});
