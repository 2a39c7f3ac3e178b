import assert from 'node:assert/strict';
import { Api } from '../../../src/cli/ctl/api/api.ts';
import { ResourceMapper } from '../../../src/cli/ctl/api/resource-mapper.ts';
import { learnDefinitions } from '../../../src/cli/ctl/apply/definitions.ts';
import type { WriteTarget } from '../../../src/cli/ctl/write/find-target.ts';
import type { ApiResource } from '../../../src/client/discovery/api-resource.ts';
import type { ApiGroup } from '../../../src/client/discovery/read-all.ts';
import { loadNames } from '../../../src/names/load.ts';

const names = loadNames({ profile: 'kubernetes' });

function resource(group: string, plural: string, kind: string): ApiResource {
  const none = { shortNames: [], categories: [], subresources: [], verbs: ['create', 'get'] };
  return {
    ...{ group, version: 'v1', resource: plural, singular: kind.toLowerCase(), kind, namespaced: false },
    ...none,
  };
}

function groupOf(one: ApiResource): ApiGroup {
  return { name: one.group, versions: [{ version: one.version, resources: [one], stale: false }] };
}

const DEFINITIONS = resource('apiextensions.k8s.io', 'customresourcedefinitions', 'CustomResourceDefinition');
const WIDGETS = resource('example.com', 'widgets', 'Widget');

const TARGET: WriteTarget = {
  object: {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      names: { kind: 'Widget', plural: 'widgets' },
      versions: [
        { name: 'v1', served: true },
        { name: 'v0', served: false },
      ],
    },
  },
  place: { file: 'STDIN', line: 1 } as unknown as WriteTarget['place'],
  resource: DEFINITIONS,
  namespace: undefined,
  name: 'widgets.example.com',
};

/** A server that tells twice that a definition is not established yet, and then that it is. */
function slowApi(signal: AbortSignal): { api: Api; asked: string[] } {
  const asked: string[] = [];
  async function* body(text: string): AsyncGenerator<Uint8Array> {
    await Promise.resolve();
    yield Buffer.from(text);
  }
  const transport = {
    send({ path }: { path: string }) {
      asked.push(path);
      const status = asked.length > 2 ? 'True' : 'False';
      const text = JSON.stringify({ status: { conditions: [{ type: 'Established', status }] } });
      return Promise.resolve({
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: body(text),
      });
    },
    close: () => Promise.resolve(),
  };
  const options = { transport, server: 'https://server', signal, requestTimeout: 0 };
  return { api: new Api({ ...options, warn: () => undefined }), asked };
}

describe('kinds of definitions that are applied', () => {
  it('are known once discovery tells of them, which may be after they are established', async () => {
    const { signal } = new AbortController();
    const { api, asked } = slowApi(signal);
    let times = 0;
    const discover = (): Promise<ResourceMapper> => {
      const served = ++times < 3 ? [DEFINITIONS] : [DEFINITIONS, WIDGETS];
      return Promise.resolve(new ResourceMapper({ names, groups: served.map(groupOf) }));
    };
    const mapper = await learnDefinitions([TARGET], { api, signal, discover });
    assert.equal(mapper.forKind({ group: 'example.com', version: 'v1', kind: 'Widget' }), WIDGETS);
    assert.deepEqual([asked.length, times], [3, 3]);
  });
});
