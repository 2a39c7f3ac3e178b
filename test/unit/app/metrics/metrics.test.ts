import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { countedAuthentication, countedAuthorization } from '../../../../src/app/metrics/access.ts';
import { authenticationObserver } from '../../../../src/app/metrics/authentication.ts';
import { createMetrics, type ServerMetrics } from '../../../../src/app/metrics/metrics.ts';
import { requestObserver } from '../../../../src/app/metrics/requests.ts';
import { storeGauges, storeObserver } from '../../../../src/app/metrics/store.ts';
import type { Exchange } from '../../../../src/http/exchange.ts';
import type { Route } from '../../../../src/http/dispatch.ts';
import type { FrameEncoder } from '../../../../src/http/watch/frames.ts';
import { systemClock } from '../../../../src/lib/clock.ts';
import { readBuilt } from '../../../../src/app/options/built.ts';
import type { MetricCatalogue } from '../../../../src/telemetry/metrics/catalogue.ts';
import { Metrics } from '../../../../src/telemetry/metrics/metrics.ts';

const catalogue = readBuilt('orch', 'metrics') as MetricCatalogue;
const make = (): Metrics => new Metrics({ catalogue, now: () => 0 });

/** The lines of a metric, without its help. */
async function linesOf(metrics: Metrics, name: string): Promise<string[]> {
  const text = await metrics.text(new Set([name]));
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

const deployments = {
  group: 'apps',
  version: 'v1',
  resource: 'deployments',
  kind: 'Deployment',
  lifecycle: { introduced: '1.9' },
} as Route['resource'];

interface Sent {
  method?: string;
  url?: string;
  headers?: Record<string, string>;
  query?: Record<string, string>;
}

/** As much of an exchange as the metrics look at. */
function exchangeOf({ method = 'GET', url = '/', headers = {}, query = {} }: Sent = {}): {
  exchange: Exchange;
  readonly end: (status: number, bytes?: number) => void;
} {
  const endings: ((exchange: Exchange) => void)[] = [];
  const exchange = {
    source: { method, url, headers },
    startedAt: 1000,
    status: 0,
    sentBytes: 0,
    reply: { ended: true },
    queryValue: (name: string) => query[name] ?? null,
    atEnd: (callback: (exchange: Exchange) => void) => endings.push(callback),
  };
  return {
    exchange: exchange as unknown as Exchange,
    end(status, bytes = 0) {
      Object.assign(exchange, { status, sentBytes: bytes });
      for (const ending of endings) ending(exchange as unknown as Exchange);
    },
  };
}

const route = (over: Partial<Route>): Route => ({
  verb: 'get',
  resource: deployments,
  namespace: 'default',
  name: 'a',
  ...over,
});

describe('request metrics', () => {
  const setUp = (): { metrics: Metrics; observer: ReturnType<typeof requestObserver> } => {
    const metrics = make();
    return { metrics, observer: requestObserver({ metrics, now: () => 1200, release: '1.32' }) };
  };
  const GROUP = 'group="apps",resource="deployments"';

  for (const [name, sent, over, labels] of [
    ['a get', {}, {}, `dry_run="",${GROUP},scope="resource",subresource="",verb="GET",version="v1"`],
    [
      'a list of a namespace',
      {},
      { verb: 'list', name: '' },
      `dry_run="",${GROUP},scope="namespace",subresource="",verb="LIST",version="v1"`,
    ],
    [
      'a list of everything',
      {},
      { verb: 'list', name: '', namespace: '' },
      `dry_run="",${GROUP},scope="cluster",subresource="",verb="LIST",version="v1"`,
    ],
    [
      'a creation',
      {},
      { verb: 'create', name: '' },
      `dry_run="",${GROUP},scope="resource",subresource="",verb="POST",version="v1"`,
    ],
    [
      'a dry run',
      { query: { dryRun: 'All' } },
      { verb: 'update' },
      `dry_run="All",${GROUP},scope="resource",subresource="",verb="PUT",version="v1"`,
    ],
    [
      'a nonsensical dry run',
      { query: { dryRun: 'x' } },
      { verb: 'update' },
      `dry_run="invalid",${GROUP},scope="resource",subresource="",verb="PUT",version="v1"`,
    ],
    [
      'an apply',
      { headers: { 'content-type': 'application/apply-patch+yaml' } },
      { verb: 'patch' },
      `dry_run="",${GROUP},scope="resource",subresource="",verb="APPLY",version="v1"`,
    ],
    [
      'the deletion of a collection',
      {},
      { verb: 'deletecollection', name: '' },
      `dry_run="",${GROUP},scope="namespace",subresource="",verb="DELETE",version="v1"`,
    ],
  ] as readonly (readonly [string, Sent, Partial<Route>, string])[]) {
    it(`count ${name}`, async () => {
      const { metrics, observer } = setUp();
      for (let i = 0; i < 2; i++) {
        const { exchange, end } = exchangeOf(sent);
        observer.onRequest?.(exchange);
        observer.onRoute?.(exchange, route(over));
        end(200, 5000);
      }
      assert.deepEqual(await linesOf(metrics, 'apiserver_request_total'), [
        `apiserver_request_total{code="200",component="apiserver",${labels}} 2`,
      ]);
      const durations = await linesOf(metrics, 'apiserver_request_duration_seconds');
      assert.equal(
        durations.at(-2),
        `apiserver_request_duration_seconds_sum{component="apiserver",${labels}} 0.4`,
      );
    });
  }

  it('show what is being served while it is', async () => {
    const { metrics, observer } = setUp();
    const watch = exchangeOf();
    const update = exchangeOf();
    observer.onRequest?.(watch.exchange);
    observer.onRequest?.(update.exchange);
    observer.onRoute?.(watch.exchange, route({ verb: 'watch', name: '' }));
    observer.onRoute?.(update.exchange, route({ verb: 'update' }));
    const open = async (): Promise<string[]> => [
      ...(await linesOf(metrics, 'apiserver_current_inflight_requests')),
      ...(await linesOf(metrics, 'apiserver_longrunning_requests')).map((line) => line.replace(/\{.*\}/, '')),
    ];
    const inFlight = (reads: number, writes: number): string[] => [
      `apiserver_current_inflight_requests{request_kind="readOnly"} ${reads}`,
      `apiserver_current_inflight_requests{request_kind="mutating"} ${writes}`,
    ];
    assert.deepEqual(await open(), [...inFlight(0, 1), 'apiserver_longrunning_requests 1']);
    watch.end(200);
    update.end(409);
    assert.deepEqual(await open(), [...inFlight(0, 0), 'apiserver_longrunning_requests 0']);
  });

  it('count the sizes of reads and of bodies', async () => {
    const { metrics, observer } = setUp();
    const list = exchangeOf();
    observer.onRequest?.(list.exchange);
    observer.onRoute?.(list.exchange, route({ verb: 'list', name: '' }));
    list.end(200, 5000);
    const create = exchangeOf({ headers: { 'content-length': '700' } });
    observer.onRequest?.(create.exchange);
    observer.onRoute?.(create.exchange, route({ verb: 'create', name: '' }));
    create.end(201, 900);
    assert.match(
      (await linesOf(metrics, 'apiserver_response_sizes')).join('\n'),
      /_sum\{.*verb="LIST".*\} 5000/,
    );
    const bodies = (await linesOf(metrics, 'apiserver_request_body_size_bytes')).join('\n');
    assert.match(bodies, /_sum\{resource="deployments",verb="create"\} 700/);
  });

  for (const [method, url, labels] of [
    ['GET', '/readyz/etcd?verbose', 'subresource="/readyz",verb="GET"'],
    ['HEAD', '/version', 'subresource="/version",verb="GET"'],
    ['POST', '/something/else', 'subresource="",verb="POST"'],
    ['PURGE', '/api/v1/pods', 'subresource="/api",verb="OTHER"'],
    ['GET', '/%zz', 'subresource="",verb="GET"'],
  ] as const) {
    it(`count ${method} ${url} without its path's further parts`, async () => {
      const { metrics, observer } = setUp();
      const { exchange, end } = exchangeOf({ method, url });
      observer.onRequest?.(exchange);
      end(404);
      assert.deepEqual(await linesOf(metrics, 'apiserver_request_total'), [
        `apiserver_request_total{code="404",component="apiserver",dry_run="",group="",resource="",scope="",${labels},version=""} 1`,
      ]);
    });
  }

  it('tell deprecated versions, with the release that removes them', async () => {
    const { metrics, observer } = setUp();
    for (const lifecycle of [
      { introduced: '1.20', deprecated: '1.29', removed: '1.35' },
      { introduced: '1.20', deprecated: '1.33' },
    ]) {
      observer.onRoute?.(exchangeOf().exchange, route({ resource: { ...deployments, lifecycle } }));
    }
    assert.deepEqual(await linesOf(metrics, 'apiserver_requested_deprecated_apis'), [
      'apiserver_requested_deprecated_apis{group="apps",removed_release="1.35",resource="deployments",subresource="",version="v1"} 1',
    ]);
  });

  it('count what is cut short, and what the server ends to protect itself', async () => {
    const { metrics, observer } = setUp();
    const gone = exchangeOf();
    observer.onRequest?.(gone.exchange);
    observer.onRoute?.(gone.exchange, route({}));
    Object.assign(gone.exchange, { reply: { ended: false } });
    gone.end(0);
    const late = exchangeOf();
    observer.onRequest?.(late.exchange);
    observer.onRoute?.(late.exchange, route({}));
    late.end(504);
    assert.match((await linesOf(metrics, 'apiserver_request_aborts_total')).join(), /\} 1$/);
    assert.match(
      (await linesOf(metrics, 'apiserver_request_terminations_total')).join(),
      /code="504".*\} 1$/,
    );
    assert.equal((await linesOf(metrics, 'apiserver_request_total')).length, 1);
  });

  it('count WebSockets to node agents, by how they went', async () => {
    const metrics = make();
    const { onStream } = requestObserver({ metrics, now: () => 0, release: '1.32' });
    onStream?.('translated', 200);
    onStream?.('translated', 200);
    onStream?.('tunnelled', 101);
    assert.deepEqual(await linesOf(metrics, 'apiserver_stream_translator_requests_total'), [
      'apiserver_stream_translator_requests_total{code="200"} 2',
    ]);
    assert.deepEqual(await linesOf(metrics, 'apiserver_stream_tunnel_requests_total'), [
      'apiserver_stream_tunnel_requests_total{code="101"} 1',
    ]);
  });

  it('count the events of watches', async () => {
    const { metrics, observer } = setUp();
    observer.onEvents?.({ resource: deployments } as FrameEncoder, 3);
    observer.onEvents?.({ resource: deployments } as FrameEncoder, 4);
    assert.deepEqual(await linesOf(metrics, 'apiserver_watch_events_total'), [
      'apiserver_watch_events_total{group="apps",kind="Deployment",version="v1"} 7',
    ]);
  });
});

describe('store metrics', () => {
  it('count requests, failures and what the cache does', async () => {
    const metrics = make();
    const observer = storeObserver(metrics);
    observer.storageRequest?.('get', 'pods', 0.01);
    observer.storageRequest?.('get', 'pods', 0.01, 'unavailable');
    observer.initialized?.('pods', 7);
    observer.eventsReceived?.('pods', 3);
    observer.consistentRead?.('pods', true);
    observer.consistentRead?.('pods', false);
    observer.readWaited?.('pods', 0.1);
    observer.unreadable?.('/registry/pods/default/a', 'why');
    for (const [name, ...lines] of [
      ['etcd_requests_total', '{operation="get",type="pods"} 2'],
      ['etcd_request_errors_total', '{operation="get",type="pods"} 1'],
      ['apiserver_watch_cache_initializations_total', '{resource="pods"} 1'],
      ['apiserver_init_events_total', '{resource="pods"} 7'],
      ['apiserver_storage_events_received_total', '{resource="pods"} 3'],
      [
        'apiserver_watch_cache_consistent_read_total',
        '{fallback="false",resource="pods",success="true"} 1',
        '{fallback="true",resource="pods",success="true"} 1',
      ],
      ['apiserver_storage_decode_errors_total', '{resource="pods"} 1'],
    ] as const) {
      assert.deepEqual(
        await linesOf(metrics, name),
        lines.map((line) => `${name}${line}`),
      );
    }
  });

  it('show the store as it is when they are asked for, also when it is away', async () => {
    const metrics = make();
    let away = false;
    storeGauges(metrics, {
      statistics: () => [
        {
          resource: 'pods',
          objects: 4,
          history: { changes: 9, bytes: 1, since: 2 },
          watchers: 1,
          revision: 77,
        },
        {
          resource: 'events',
          objects: undefined,
          history: { changes: 0, bytes: 0, since: 0 },
          watchers: 0,
          revision: 5,
        },
      ],
      status: () =>
        away
          ? Promise.reject(new Error('away'))
          : Promise.resolve({ sizeBytes: 4096, revision: 77, version: '1', clusterId: 'c' } as never),
    });
    assert.deepEqual(await linesOf(metrics, 'apiserver_storage_objects'), [
      'apiserver_storage_objects{resource="pods"} 4',
    ]);
    assert.deepEqual(await linesOf(metrics, 'apiserver_storage_size_bytes'), [
      'apiserver_storage_size_bytes{storage_cluster_id="c"} 4096',
    ]);
    away = true;
    assert.deepEqual(await linesOf(metrics, 'apiserver_storage_size_bytes'), []);
    assert.deepEqual(await linesOf(metrics, 'apiserver_watch_cache_resource_version'), [
      'apiserver_watch_cache_resource_version{resource="pods"} 77',
      'apiserver_watch_cache_resource_version{resource="events"} 5',
    ]);
  });
});

describe('access metrics', () => {
  const user = (name: string) => ({ name, uid: '', groups: [], extra: {} });
  const credentials = { rawHeaders: [], path: '/', authorization: undefined, socket: undefined as never };

  it('count outcomes of authentication, and users without naming them', async () => {
    const metrics = make();
    const names = ['admin', 'jane', 'joe@example.com'];
    const authenticate = countedAuthentication(
      metrics,
      () => 0,
      () => {
        const name = names.shift();
        return name === undefined ? Promise.reject(new Error('no')) : Promise.resolve(user(name));
      },
    );
    for (let i = 0; i < 3; i++) await authenticate(credentials);
    await assert.rejects(authenticate(credentials), /no/);
    assert.deepEqual(await linesOf(metrics, 'authentication_attempts'), [
      'authentication_attempts{result="success"} 3',
      'authentication_attempts{result="failure"} 1',
    ]);
    assert.deepEqual(await linesOf(metrics, 'authenticated_user_requests'), [
      'authenticated_user_requests{username="admin"} 1',
      'authenticated_user_requests{username="other"} 1',
      'authenticated_user_requests{username="email_id"} 1',
    ]);
  });

  it('count outcomes of authorization', async () => {
    const metrics = make();
    const verdicts = ['allow', 'noOpinion', undefined];
    const authorize = countedAuthorization(
      metrics,
      () => 0,
      () => {
        const verdict = verdicts.shift();
        return verdict === undefined
          ? Promise.reject(new Error('no'))
          : Promise.resolve({ verdict, reason: '' });
      },
    );
    const request = { user: user('a'), info: {} as never };
    await authorize(request);
    await authorize(request);
    await assert.rejects(authorize(request), /no/);
    assert.deepEqual(await linesOf(metrics, 'authorization_attempts_total'), [
      'authorization_attempts_total{result="allowed"} 1',
      'authorization_attempts_total{result="denied"} 0',
      'authorization_attempts_total{result="no-opinion"} 1',
      'authorization_attempts_total{result="error"} 1',
    ]);
  });
});

describe('the metrics of a server', () => {
  const gates = {
    enabled: () => true,
    all: () => [
      { name: 'A', stage: 'ga' as const, enabled: true },
      { name: 'B', stage: 'beta' as const, enabled: false },
    ],
  };
  const version = { version: '0.1.0', gitVersion: 'v1.32.0+orch', gitCommit: '', buildDate: '' };
  const create = (): ServerMetrics =>
    createMetrics({
      profile: 'orch',
      config: { disabledMetrics: ['etcd_requests_total'], gates },
      version,
      clock: systemClock,
    });

  it('tell the build and its features', async () => {
    const text = await create().source.text();
    for (const line of [
      /^kubernetes_feature_enabled\{name="A",stage=""\} 1$/m,
      /^kubernetes_feature_enabled\{name="B",stage="BETA"\} 0$/m,
      /^kubernetes_build_info\{.*git_version="v1.32.0\+orch".*\} 1$/m,
      /^disabled_metrics_total 1$/m,
      /^process_cpu_seconds_total /m,
    ]) {
      assert.match(text, line);
    }
  });

  it('count health checks, which /metrics/slis shows alone', async () => {
    const { health, slis } = create();
    health.onCheck?.('livez', 'etcd', true);
    health.onCheck?.('livez', 'etcd', false);
    const lines = (await slis.text()).split('\n').filter((line) => !line.startsWith('#'));
    assert.deepEqual(lines, [
      'kubernetes_healthcheck{name="etcd",type="livez"} 0',
      'kubernetes_healthchecks_total{name="etcd",status="success",type="livez"} 1',
      'kubernetes_healthchecks_total{name="etcd",status="error",type="livez"} 1',
      '',
    ]);
  });

  it('are all counted somewhere', () => {
    const src = join(import.meta.dirname, '..', '..', '..', '..', 'src');
    const text = readdirSync(src, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
      .join('\n');
    const unused = Object.keys(catalogue.metrics).filter((name) => !text.includes(`'${name}'`));
    assert.deepEqual(unused, []);
  });
});

describe('metrics of authentication', () => {
  it('tell of remembered tokens and of those of service accounts', async () => {
    const metrics = make();
    const observer = authenticationObserver({ metrics, serverId: 'a', now: () => 0 });
    observer.tokenCache.waiting('in_flight', 1);
    observer.tokenCache.waiting('blocked', 1);
    observer.tokenCache.waiting('in_flight', -1);
    observer.tokenCache.asked('ok');
    observer.tokenCache.looked('miss', 0.3);
    observer.onAccountToken('stale');
    observer.onAccountToken('generated');
    const lines = async (name: string): Promise<string[]> => linesOf(metrics, name);
    assert.deepEqual(await lines('authentication_token_cache_active_fetch_count'), [
      'authentication_token_cache_active_fetch_count{status="in_flight"} 0',
      'authentication_token_cache_active_fetch_count{status="blocked"} 1',
    ]);
    assert.deepEqual(await lines('authentication_token_cache_fetch_total'), [
      'authentication_token_cache_fetch_total{status="ok"} 1',
    ]);
    assert.deepEqual(await lines('authentication_token_cache_request_total'), [
      'authentication_token_cache_request_total{status="miss"} 1',
    ]);
    assert.deepEqual(await lines('serviceaccount_stale_tokens_total'), [
      'serviceaccount_stale_tokens_total 1',
    ]);
    assert.deepEqual(await lines('serviceaccount_legacy_auto_token_uses_total'), [
      'serviceaccount_legacy_auto_token_uses_total 1',
    ]);
  });
});
