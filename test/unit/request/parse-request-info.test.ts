import assert from 'node:assert/strict';
import { ApiError } from '../../../src/errors/api-error.ts';
import { isLongRunning, parseRequestInfo } from '../../../src/request/parse-request-info.ts';
import type { RequestInfo } from '../../../src/request/request-info.ts';

function parse(method: string, url: string): RequestInfo {
  const [path = '', query = ''] = url.split('?');
  return parseRequestInfo(method, path, new URLSearchParams(query));
}

/** verb, group, version, namespace, resource, subresource, name */
type Expected = [string, string, string, string, string, string, string];

function summary(info: RequestInfo): Expected {
  const { verb, group, version, namespace, resource, subresource, name } = info;
  return [verb, group, version, namespace, resource, subresource, name];
}

describe('request info of resources', () => {
  const cases: [string, string, Expected][] = [
    ['GET', '/api/v1/namespaces', ['list', '', 'v1', '', 'namespaces', '', '']],
    ['GET', '/api/v1/namespaces/other', ['get', '', 'v1', 'other', 'namespaces', '', 'other']],
    ['GET', '/api/v1/namespaces/other/', ['get', '', 'v1', 'other', 'namespaces', '', 'other']],
    ['PUT', '/api/v1/namespaces/n/status', ['update', '', 'v1', 'n', 'namespaces', 'status', 'n']],
    ['PUT', '/api/v1/namespaces/n/finalize', ['update', '', 'v1', 'n', 'namespaces', 'finalize', 'n']],
    ['GET', '/api/v1/namespaces/n/pods', ['list', '', 'v1', 'n', 'pods', '', '']],
    ['HEAD', '/api/v1/namespaces/n/pods', ['list', '', 'v1', 'n', 'pods', '', '']],
    ['GET', '/api/v1/namespaces//pods', ['list', '', 'v1', '', 'pods', '', '']],
    ['GET', '/api/v1/pods', ['list', '', 'v1', '', 'pods', '', '']],
    ['GET', '/api/v1/namespaces/n/pods/p', ['get', '', 'v1', 'n', 'pods', '', 'p']],
    ['GET', '/api/v1/namespaces/n/pods/p/log', ['get', '', 'v1', 'n', 'pods', 'log', 'p']],
    ['POST', '/api/v1/namespaces/n/pods', ['create', '', 'v1', 'n', 'pods', '', '']],
    ['PATCH', '/api/v1/namespaces/n/pods/p', ['patch', '', 'v1', 'n', 'pods', '', 'p']],
    ['DELETE', '/api/v1/namespaces/n/pods/p', ['delete', '', 'v1', 'n', 'pods', '', 'p']],
    ['DELETE', '/api/v1/namespaces/n/pods', ['deletecollection', '', 'v1', 'n', 'pods', '', '']],
    ['OPTIONS', '/api/v1/namespaces/n/pods', ['', '', 'v1', 'n', 'pods', '', '']],
    [
      'GET',
      '/apis/apps/v1/namespaces/n/deployments/d/scale',
      ['get', 'apps', 'v1', 'n', 'deployments', 'scale', 'd'],
    ],
    ['GET', '/apis/apps/v1/deployments', ['list', 'apps', 'v1', '', 'deployments', '', '']],
    ['GET', '/api/v1/watch/pods', ['watch', '', 'v1', '', 'pods', '', '']],
    ['GET', '/api/v1/watch/namespaces/n/pods', ['watch', '', 'v1', 'n', 'pods', '', '']],
    ['GET', '/api/v1/watch/namespaces/n/pods/p', ['watch', '', 'v1', 'n', 'pods', '', 'p']],
    ['GET', '/api/v1/proxy/namespaces/n/pods/p/x', ['proxy', '', 'v1', 'n', 'pods', '', 'p']],
    ['GET', '/api/v1/pods?watch=1', ['watch', '', 'v1', '', 'pods', '', '']],
    ['GET', '/api/v1/pods?watch', ['watch', '', 'v1', '', 'pods', '', '']],
    ['GET', '/api/v1/pods?watch=maybe', ['watch', '', 'v1', '', 'pods', '', '']],
    ['GET', '/api/v1/pods?watch=False', ['list', '', 'v1', '', 'pods', '', '']],
    ['GET', '/api/v1/pods?watch=0', ['list', '', 'v1', '', 'pods', '', '']],
    ['GET', '/api/v1/namespaces/n/pods/p?watch=1', ['get', '', 'v1', 'n', 'pods', '', 'p']],
    ['GET', '/api/v1/pods?fieldSelector=metadata.name%3Dp', ['list', '', 'v1', '', 'pods', '', 'p']],
    [
      'GET',
      '/api/v1/pods?fieldSelector=a!%3Db,metadata.name%3D%3Dp&watch=1',
      ['watch', '', 'v1', '', 'pods', '', 'p'],
    ],
    ['GET', '/api/v1/pods?fieldSelector=metadata.name!%3Dp', ['list', '', 'v1', '', 'pods', '', '']],
    ['GET', '/api/v1/pods?fieldSelector=metadata.name%3D..', ['list', '', 'v1', '', 'pods', '', '']],
    ['GET', '/api/v1/pods?fieldSelector=metadata.name%3Dp,broken', ['list', '', 'v1', '', 'pods', '', '']],
    [
      'DELETE',
      '/api/v1/pods?fieldSelector=metadata.name%3Dp',
      ['deletecollection', '', 'v1', '', 'pods', '', ''],
    ],
    ['GET', '/api/v1/namespaces/n/configmaps/a%2Fb', ['get', '', 'v1', 'n', 'configmaps', 'b', 'a']],
    ['GET', '/api/v1/namespaces/n/configmaps/%2e%2e', ['get', '', 'v1', 'n', 'configmaps', '', '..']],
    ['GET', '/api//v1', ['list', '', '', '', 'v1', '', '']],
    ['constructor', '/api/v1/pods', ['', '', 'v1', '', 'pods', '', '']],
    [
      'GET',
      '/api/v1/namespaces/__proto__/constructor/x',
      ['get', '', 'v1', '__proto__', 'constructor', '', 'x'],
    ],
  ];
  for (const [method, url, expected] of cases) {
    it(`${method} ${url}`, () => {
      const info = parse(method, url);
      assert.equal(info.isResourceRequest, true);
      assert.deepEqual(summary(info), expected);
    });
  }

  it('keeps the parts from the resource on', () => {
    assert.deepEqual(parse('GET', '/api/v1/namespaces/n/services/s/proxy/a/b').parts, [
      'services',
      's',
      'proxy',
      'a',
      'b',
    ]);
  });

  it('marks the deprecated watch paths', () => {
    assert.equal(parse('GET', '/api/v1/watch/pods').legacyWatch, true);
    assert.equal(parse('GET', '/api/v1/pods?watch=1').legacyWatch, false);
  });
});

describe('request info of other paths', () => {
  for (const path of [
    '/',
    '/api',
    '/api/',
    '/api/v1',
    '/apis',
    '/apis/apps',
    '/apis/apps/v1',
    '/apis/apps/v1/',
    '/healthz',
    '/version',
    '//api/v1',
    '/API/v1/pods',
    '/openapi/v3/apis/apps/v1',
  ]) {
    it(path, () => {
      const info = parse('GET', path);
      assert.equal(info.isResourceRequest, false);
      assert.equal(info.verb, 'get');
      assert.equal(info.path, path);
    });
  }
});

describe('paths that say nothing', () => {
  for (const path of ['/api/v1/watch', '/apis/apps/v1/proxy/', '/api/v1/%zz', '/api/v1/pods/%ff']) {
    it(`${path} is refused with 400`, () => {
      assert.throws(
        () => parse('GET', path),
        (error: unknown) => error instanceof ApiError && error.code === 400,
      );
    });
  }
});

describe('long-running requests', () => {
  for (const [url, expected] of [
    ['/api/v1/pods?watch=1', true],
    ['/api/v1/pods', false],
    ['/api/v1/namespaces/n/pods/p/log', true],
    ['/api/v1/namespaces/n/pods/p/status', false],
    ['/healthz', false],
  ] as const) {
    it(`${url}: ${expected}`, () => assert.equal(isLongRunning(parse('GET', url)), expected));
  }
});

describe('selectors of requests', () => {
  const both = 'fieldSelector=spec.nodeName%3Da&labelSelector=app%3Dweb';
  for (const [method, url, fieldSelector, labelSelector] of [
    ['GET', `/api/v1/pods?${both}`, 'spec.nodeName=a', 'app=web'],
    ['GET', `/api/v1/pods?watch=1&${both}`, 'spec.nodeName=a', 'app=web'],
    ['DELETE', `/api/v1/namespaces/n/pods?${both}`, 'spec.nodeName=a', 'app=web'],
    ['GET', '/api/v1/pods?labelSelector=app&labelSelector=other', undefined, 'app'],
    ['GET', '/api/v1/pods?fieldSelector=', undefined, undefined],
    ['GET', `/api/v1/namespaces/n/pods/p?${both}`, undefined, undefined],
    ['POST', `/api/v1/namespaces/n/pods?${both}`, undefined, undefined],
    ['GET', `/api/v1/watch/pods?${both}`, undefined, undefined],
    ['GET', `/version?${both}`, undefined, undefined],
  ] as const) {
    it(`${method} ${url}`, () => {
      const info = parse(method, url);
      assert.deepEqual([info.fieldSelector, info.labelSelector], [fieldSelector, labelSelector]);
    });
  }
});
