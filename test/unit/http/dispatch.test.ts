import assert from 'node:assert/strict';
import { ApiError } from '../../../src/errors/api-error.ts';
import { findRoute } from '../../../src/http/dispatch.ts';
import { parseRequestInfo } from '../../../src/request/parse-request-info.ts';
import type { ResourceDefinition, SubresourceDefinition } from '../../../src/schema/model.ts';
import { resourceRow } from '../../support/http-gateway.ts';

type Connection = SubresourceDefinition['connect'];

function subresources(...of: [string, string[], Connection?][]): Map<string, SubresourceDefinition> {
  return new Map(
    of.map(([name, verbs, connect]) => [
      name,
      {
        ...{ name, verbs, kind: 'X', group: '', version: 'v1', type: undefined },
        ...(connect === undefined ? {} : { connect }),
      },
    ]),
  );
}

const ROWS: Record<string, ResourceDefinition> = {
  configmaps: resourceRow({ resource: 'configmaps', kind: 'ConfigMap' }),
  pods: resourceRow({
    resource: 'pods',
    kind: 'Pod',
    subresources: subresources(
      ['status', ['get', 'patch', 'update']],
      ['eviction', ['create']],
      [
        'proxy',
        ['create', 'delete', 'get', 'patch', 'update'],
        { methods: ['get', 'post', 'head', 'options'], subpath: true },
      ],
      ['exec', ['create', 'get'], { methods: ['get', 'post'], subpath: false }],
    ),
  }),
  namespaces: resourceRow({
    resource: 'namespaces',
    kind: 'Namespace',
    namespaced: false,
    verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
    subresources: subresources(['finalize', ['update']], ['status', ['get', 'patch', 'update']]),
  }),
  nodes: resourceRow({ resource: 'nodes', kind: 'Node', namespaced: false }),
  bindings: resourceRow({ resource: 'bindings', kind: 'Binding', verbs: ['create'] }),
  componentstatuses: resourceRow({
    resource: 'componentstatuses',
    kind: 'ComponentStatus',
    namespaced: false,
    verbs: ['get', 'list'],
  }),
};

function route(method: string, url: string): string {
  const [path = '', query = ''] = url.split('?');
  try {
    const info = parseRequestInfo(method, `/api/v1${path}`, new URLSearchParams(query));
    const found = findRoute(info, (_g, _v, resource) =>
      Object.hasOwn(ROWS, resource) ? ROWS[resource] : undefined,
    );
    const { verb, resource, subresource, namespace, name } = found;
    return [verb, resource.resource, subresource?.name ?? '-', namespace || '-', name || '-'].join(' ');
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return String(error.code);
  }
}

describe('dispatch', () => {
  for (const [method, url, expected] of [
    ['GET', '/configmaps', 'list configmaps - - -'],
    ['GET', '/namespaces//configmaps', 'list configmaps - - -'],
    ['GET', '/configmaps?watch=1', 'watch configmaps - - -'],
    ['GET', '/namespaces/n/configmaps', 'list configmaps - n -'],
    ['GET', '/namespaces/n/configmaps?fieldSelector=metadata.name%3Dx', 'list configmaps - n -'],
    ['POST', '/namespaces/n/configmaps', 'create configmaps - n -'],
    ['DELETE', '/namespaces/n/configmaps', 'deletecollection configmaps - n -'],
    ['GET', '/namespaces/n/configmaps/x', 'get configmaps - n x'],
    ['PUT', '/namespaces/n/configmaps/x', 'update configmaps - n x'],
    ['PATCH', '/namespaces/n/configmaps/x', 'patch configmaps - n x'],
    ['DELETE', '/namespaces/n/configmaps/x', 'delete configmaps - n x'],
    ['PATCH', '/namespaces/n/pods/x/status', 'patch pods status n x'],
    ['POST', '/namespaces/n/pods/x/eviction', 'create pods eviction n x'],
    ['GET', '/namespaces/n/pods/x/proxy/a/b', 'connect pods proxy n x'],
    ['POST', '/namespaces/n/pods/x/proxy', 'connect pods proxy n x'],
    ['HEAD', '/namespaces/n/pods/x/proxy/', 'connect pods proxy n x'],
    ['OPTIONS', '/namespaces/n/pods/x/proxy/a', 'connect pods proxy n x'],
    ['PUT', '/namespaces/n/pods/x/proxy/a', '405'],
    ['POST', '/namespaces/n/pods/x/exec', 'connect pods exec n x'],
    ['PUT', '/namespaces/n/pods/x/exec', '405'],
    ['GET', '/namespaces/n/pods/x/exec/a', '404'],
    ['GET', '/namespaces', 'list namespaces - - -'],
    ['GET', '/namespaces/n', 'get namespaces - - n'],
    ['PUT', '/namespaces/namespaces/finalize', 'update namespaces finalize - namespaces'],
    ['GET', '/nodes/x', 'get nodes - - x'],
    ['POST', '/namespaces/n/bindings', 'create bindings - n -'],
    ['GET', '/watch/configmaps', 'watch configmaps - - -'],
    ['GET', '/watch/namespaces/n/configmaps/x', 'watch configmaps - n x'],
    ['GET', '/watch/namespaces/n', 'watch namespaces - - n'],
    // the path is none of a resource's
    ['GET', '/nosuch', '404'],
    ['GET', '/__proto__', '404'],
    ['GET', '/namespaces/n/nosuch/x', '404'],
    ['GET', '/configmaps/x', '404'],
    ['GET', '/namespaces/n/nodes', '404'],
    ['GET', '/namespaces/n/namespaces', '404'],
    ['GET', '/namespaces/n/namespaces/n', '404'],
    ['GET', '/namespaces/n/pods/x/nosuch', '404'],
    ['GET', '/namespaces/n/pods/x/status/extra', '404'],
    ['GET', '/namespaces/n/pods//status', '404'],
    ['GET', '/bindings', '404'],
    ['GET', '/proxy/nodes/x', '404'],
    ['GET', '/watch/nosuch', '404'],
    ['GET', '/watch/namespaces/n/pods/x/status', '404'],
    ['GET', '/watch/componentstatuses', '404'],
    // the path exists, the method doesn't
    ['POST', '/configmaps', '405'],
    ['DELETE', '/configmaps', '405'],
    ['PUT', '/namespaces/n/configmaps', '405'],
    ['POST', '/namespaces/n/configmaps/x', '405'],
    ['OPTIONS', '/namespaces/n/configmaps', '405'],
    ['HEAD', '/namespaces/n/configmaps', '405'],
    ['TRACE', '/namespaces/n/configmaps/x', '405'],
    ['toString', '/namespaces/n/configmaps', '405'],
    ['GET', '/namespaces/n/bindings', '405'],
    ['DELETE', '/namespaces', '405'],
    ['POST', '/componentstatuses', '405'],
    ['PATCH', '/componentstatuses/etcd-0', '405'],
    ['GET', '/componentstatuses?watch=1', '405'],
    ['POST', '/watch/configmaps', '405'],
    ['GET', '/namespaces/n/pods/x/eviction', '405'],
    // the name can't be one
    ['GET', '/namespaces/n/configmaps/%2e%2e', '400'],
    ['DELETE', '/namespaces/n/configmaps/.', '400'],
    ['GET', '/namespaces/n/configmaps/a%2525', '400'],
  ] as const) {
    it(`${method} ${url}: ${expected}`, () => assert.equal(route(method, url), expected));
  }
});
