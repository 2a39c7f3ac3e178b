import assert from 'node:assert/strict';
import { ApiError } from '../../../src/errors/api-error.ts';
import type { ApiObject, JsonObject } from '../../../src/meta/object.ts';
import { agentOf, nodeProxy, type NodeAgents } from '../../../src/registry/node/agent.ts';
import { agentNode } from '../../support/agent-objects.ts';
import { splitTarget } from '../../../src/registry/proxy-target.ts';

const AGENTS: NodeAgents = {
  addressTypes: ['Hostname', 'InternalIP'],
  port: 10_250,
  locate: (host) => Promise.resolve([{ address: host, family: 4 }]),
};

const node = (status: JsonObject): ApiObject => ({ ...agentNode('n', 10_250), status });

describe('the agent of a node', () => {
  const addresses = [
    { type: 'ExternalIP', address: '10.0.0.9' },
    { type: 'InternalIP', address: '10.0.0.1' },
    { type: 'InternalIP', address: '10.0.0.2' },
    { type: 'Hostname', address: 'n1' },
  ];

  it('is at the first address of the most wanted type', () => {
    assert.deepEqual(agentOf(node({ addresses }), AGENTS), { host: 'n1', port: 10_250 });
    const byAddress = { ...AGENTS, addressTypes: ['ExternalDNS', 'InternalIP', 'Hostname'] };
    assert.equal(agentOf(node({ addresses }), byAddress).host, '10.0.0.1');
  });

  it('listens where the node says, if it says so', () => {
    for (const [Port, wanted] of [
      [4000, 4000],
      [0, 10_250],
    ])
      assert.equal(agentOf(agentNode('n', Port!), AGENTS).port, wanted);
  });

  it('is nowhere without an address of these types', () => {
    for (const status of [{}, { addresses: [] }, { addresses: addresses.slice(0, 1) }])
      assert.throws(
        () => agentOf(node(status), AGENTS),
        (error) => error instanceof ApiError && error.code === 500,
      );
  });

  it('is what a name leads to without a port, or with its own', async () => {
    const find = nodeProxy(AGENTS);
    const read = (): Promise<ApiObject> => Promise.resolve(node({ addresses }));
    const found = async (name: string): Promise<unknown[]> => {
      const { scheme, port, isNodeAgent } = await find({
        namespace: '',
        name,
        query: new URLSearchParams(),
        options: {},
        read,
      });
      return [scheme, port, isNodeAgent];
    };
    assert.deepEqual(await found('n'), ['https', 10_250, true]);
    assert.deepEqual(await found('n:'), ['https', 10_250, true]);
    assert.deepEqual(await found('http:n:10250'), ['https', 10_250, true]);
    assert.deepEqual(await found('n:80'), ['http', 80, false]);
    assert.deepEqual(await found('https:n:443'), ['https', 443, false]);
  });
});

describe('the name of a proxy’s target', () => {
  const cases: Record<string, unknown> = {
    a: ['http', 'a', ''],
    'a:b': ['http', 'a', 'b'],
    ':a:b': ['http', 'a', 'b'],
    'https:a:': ['https', 'a', ''],
    '': undefined,
    ':a': undefined,
    'ftp:a:b': undefined,
    'HTTPS:a:b': undefined,
    'a:b:c:d': undefined,
  };
  for (const [text, wanted] of Object.entries(cases)) {
    it(`is read from ${JSON.stringify(text)}`, () => {
      const target = splitTarget(text);
      assert.deepEqual(target && [target.scheme, target.name, target.port], wanted);
    });
  }
});
