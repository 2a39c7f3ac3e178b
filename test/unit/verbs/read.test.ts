import assert from 'node:assert/strict';
import { RecordingSink } from '../../support/object-store.ts';
import type { WatchResult } from '../../../src/verbs/result.ts';
import { Cluster } from './cluster.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

describe('reading', () => {
  let cluster: Cluster;
  let versions: string[];
  beforeEach(async () => {
    cluster = await Cluster.open();
    versions = [];
    for (const name of ['a', 'b', 'c']) {
      const { object } = await cluster.expect(201, `POST ${CONFIG_MAPS}`, {
        body: { metadata: { name, labels: { n: name } } },
      });
      versions.push(object.metadata.resourceVersion ?? '');
    }
  });
  afterEach(() => cluster.close());

  const names = async (query: string): Promise<string[]> => {
    const { items } = await cluster.expect(200, `GET ${CONFIG_MAPS}${query}`);
    return items.map(({ metadata }) => metadata.name ?? '');
  };

  describe('get', () => {
    it('answers with the object, or 404', async () => {
      const { object } = await cluster.expect(200, `GET ${CONFIG_MAPS}/a`);
      assert.equal(object.metadata.name, 'a');
      const missing = await cluster.expect(404, `GET ${CONFIG_MAPS}/z`);
      assert.deepEqual(missing.object.details, { name: 'z', kind: 'configmaps' });
    });

    it('takes versions that are versions', async () => {
      await cluster.expect(200, `GET ${CONFIG_MAPS}/a?resourceVersion=0`);
      await cluster.expect(200, `GET ${CONFIG_MAPS}/a?resourceVersion=${versions[2]}`);
      await cluster.expect(400, `GET ${CONFIG_MAPS}/a?resourceVersion=x`);
      await cluster.expect(400, `GET ${CONFIG_MAPS}/a?resourceVersion=-1`);
    });

    it('shows an object as it was, until the store has forgotten', async () => {
      const past = (line: string, version = versions[1]): string =>
        `GET ${line}?resourceVersion=${version}&resourceVersionMatch=Exact`;
      const changed = { metadata: { name: 'a' }, data: { changed: 'yes' } };
      await cluster.expect(200, `PUT ${CONFIG_MAPS}/a`, { body: changed });
      await cluster.expect(200, `DELETE ${CONFIG_MAPS}/b`);
      const { object } = await cluster.expect(200, past(`${CONFIG_MAPS}/a`));
      assert.deepEqual([object.metadata.resourceVersion, object['data']], [versions[0], undefined]);
      const deleted = await cluster.expect(200, past(`${CONFIG_MAPS}/b`));
      assert.equal(deleted.object.metadata.resourceVersion, versions[1]);
      await cluster.expect(404, past(`${CONFIG_MAPS}/c`));
      await cluster.expect(504, past(`${CONFIG_MAPS}/a`, '999999'));
      await cluster.expect(400, past(`${CONFIG_MAPS}/a`, 'x'));
      await cluster.storage.compact(await cluster.store.currentRevision());
      const expired = await cluster.expect(410, past(`${CONFIG_MAPS}/a`));
      assert.equal(expired.object['reason'], 'Expired');
    });

    it('shows an object as it was in another version of its kind, and as its subresources', async () => {
      const path = '/namespaces/default/horizontalpodautoscalers';
      const body = {
        metadata: { name: 'h' },
        spec: {
          maxReplicas: 3,
          scaleTargetRef: { kind: 'Deployment', name: 'd' },
          targetCPUUtilizationPercentage: 70,
        },
      };
      const { object: made } = await cluster.expect(201, `POST /apis/autoscaling/v1${path}`, { body });
      const query = `?resourceVersion=${made.metadata.resourceVersion}&resourceVersionMatch=Exact`;
      body.spec.maxReplicas = 9;
      await cluster.expect(200, `PUT /apis/autoscaling/v1${path}/h`, { body });
      for (const rest of [path, `${path}/h/status`]) {
        const line = rest === path ? `${path}/h` : rest;
        const { object } = await cluster.expect(200, `GET /apis/autoscaling/v2${line}${query}`);
        assert.equal(object.apiVersion, 'autoscaling/v2');
        assert.equal((object['spec'] as { maxReplicas: number }).maxReplicas, 3);
      }
    });

    it('knows no subresource that it has no handler for', async () => {
      await cluster.expect(404, 'GET /api/v1/namespaces/default/pods/p/log');
    });
  });

  describe('list', () => {
    const chosen: [query: string, expected: string[]][] = [
      ['', ['a', 'b', 'c']],
      ['?resourceVersion=0', ['a', 'b', 'c']],
      ['?resourceVersion=0&limit=1', ['a', 'b', 'c']],
      ['?labelSelector=n%3Da', ['a']],
      ['?labelSelector=n%20in%20(a,c)', ['a', 'c']],
      ['?fieldSelector=metadata.name!%3Da', ['b', 'c']],
      ['?fieldSelector=metadata.name%3Db&labelSelector=n%3Da', []],
      ['?fieldSelector=metadata.namespace%3Dother', []],
      ['?limit=2', ['a', 'b']],
      ['?limit=-1', ['a', 'b', 'c']],
    ];
    for (const [query, expected] of chosen) {
      it(`chooses ${JSON.stringify(expected)} for "${query}"`, async () =>
        assert.deepEqual(await names(query), expected));
    }

    it('reads exactly the version it is asked for', async () => {
      assert.deepEqual(await names(`?resourceVersion=${versions[0]}&resourceVersionMatch=Exact`), ['a']);
      assert.deepEqual(await names(`?resourceVersion=${versions[1]}&limit=5`), ['a', 'b']);
      assert.deepEqual(await names(`?resourceVersion=${versions[0]}&resourceVersionMatch=NotOlderThan`), [
        'a',
        'b',
        'c',
      ]);
    });

    it('goes on from where a page ended, in the same snapshot', async () => {
      const first = await cluster.expect(200, `GET ${CONFIG_MAPS}?limit=2`);
      assert.ok(first.result?.kind === 'list');
      const token = encodeURIComponent(first.result.page.continueToken ?? '');
      await cluster.expect(200, `DELETE ${CONFIG_MAPS}/c`);
      assert.deepEqual(await names(`?limit=2&continue=${token}`), ['c']);
      await cluster.expect(400, `GET ${CONFIG_MAPS}?continue=${token}&resourceVersion=${versions[0]}`);
    });

    const refused: [query: string, status: number][] = [
      ['?limit=x', 400],
      ['?limit=', 400],
      ['?timeoutSeconds=1.5', 400],
      ['?resourceVersion=abc', 400],
      ['?continue=garbage', 400],
      ['?labelSelector=a%20b', 400],
      ['?fieldSelector=data.x%3D1', 400],
      ['?resourceVersionMatch=Exact', 422],
      ['?resourceVersionMatch=Exact&resourceVersion=0', 422],
      ['?resourceVersionMatch=Nope&resourceVersion=1', 422],
      ['?resourceVersionMatch=NotOlderThan&resourceVersion=1&continue=x', 422],
      ['?sendInitialEvents=true', 422],
    ];
    for (const [query, status] of refused) {
      it(`refuses ${query} with ${status}`, async () =>
        void (await cluster.expect(status, `GET ${CONFIG_MAPS}${query}`)));
    }

    it('knows the fields of events in both of their groups', async () => {
      const EVENTS = '/api/v1/namespaces/default/events';
      await cluster.expect(201, `POST ${EVENTS}`, {
        body: {
          metadata: { name: 'e' },
          involvedObject: { kind: 'Pod', namespace: 'default' },
          source: { component: 'k' },
        },
      });
      for (const query of [
        `${EVENTS}?fieldSelector=involvedObject.kind%3DPod`,
        `${EVENTS}?fieldSelector=source%3Dk`,
        '/apis/events.k8s.io/v1/namespaces/default/events?fieldSelector=regarding.kind%3DPod',
      ]) {
        assert.equal((await cluster.expect(200, `GET ${query}`)).items.length, 1, query);
      }
    });
  });

  describe('watch', () => {
    const watch = async (query: string): Promise<WatchResult> => {
      const { result } = await cluster.expect(200, `GET ${CONFIG_MAPS}?watch=true${query}`);
      assert.ok(result?.kind === 'watch');
      return result;
    };
    const eventsOf = async (result: WatchResult, count: number): Promise<string[]> => {
      const sink = new RecordingSink();
      const subscription = await result.subscribe(sink);
      await sink.until(() => sink.kinds.length >= count);
      subscription.close();
      return sink.kinds;
    };

    it('starts with the state when it names no version', async () => {
      assert.deepEqual(await eventsOf(await watch(''), 3), ['ADDED a', 'ADDED b', 'ADDED c']);
      assert.deepEqual(await eventsOf(await watch('&resourceVersion=0&labelSelector=n%3Db'), 1), ['ADDED b']);
    });

    it('goes on after the version it names', async () => {
      const result = await watch(`&resourceVersion=${versions[1]}`);
      assert.equal(String(result.startRevision), versions[1]);
      assert.deepEqual(await eventsOf(result, 1), ['ADDED c']);
    });

    it('leaves the state out when it is told to', async () => {
      const result = await watch('&sendInitialEvents=false&resourceVersionMatch=NotOlderThan');
      await cluster.expect(201, `POST ${CONFIG_MAPS}`, { body: { metadata: { name: 'd' } } });
      assert.deepEqual(await eventsOf(result, 1), ['ADDED d']);
    });

    const bookmarks: [query: string, asked: boolean, atEnd: boolean][] = [
      ['', false, false],
      ['&allowWatchBookmarks=true', true, true],
      ['&allowWatchBookmarks=true&resourceVersion=1', true, false],
      ['&sendInitialEvents=true&resourceVersionMatch=NotOlderThan', false, false],
      ['&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=1', true, true],
    ];
    for (const [query, asked, atEnd] of bookmarks) {
      it(`promises bookmarks as asked by "${query}"`, async () => {
        const result = await watch(query);
        assert.deepEqual([result.bookmarks, result.initialEventsBookmark], [asked, atEnd]);
      });
    }

    it('ends when it is asked to, else after the shortest time or up to twice that', async () => {
      assert.equal((await watch('&timeoutSeconds=7')).timeoutSeconds, 7);
      assert.equal((await watch('&timeoutSeconds=-7')).timeoutSeconds, 0);
      const { timeoutSeconds } = await watch('');
      assert.ok(timeoutSeconds >= 1800 && timeoutSeconds <= 3600);
    });

    const refused: [query: string, status: number][] = [
      ['&resourceVersion=abc', 400],
      ['&resourceVersionMatch=NotOlderThan', 422],
      ['&resourceVersionMatch=Exact&sendInitialEvents=true', 422],
      ['&sendInitialEvents=true', 422],
      ['&continue=abc', 422],
      ['&fieldSelector=x%3Dy', 400],
      ['&timeoutSeconds=x', 400],
    ];
    for (const [query, status] of refused) {
      it(`refuses ${query} with ${status}`, async () =>
        void (await cluster.expect(status, `GET ${CONFIG_MAPS}?watch=true${query}`)));
    }

    it('promises no mark behind the state where lists are not streamed', async () => {
      const other = await Cluster.open({ storage: cluster.storage, streamsLists: false });
      const { result } = await other.expect(200, `GET ${CONFIG_MAPS}?watch=true&allowWatchBookmarks=true`);
      assert.ok(result?.kind === 'watch');
      assert.deepEqual([result.bookmarks, result.initialEventsBookmark], [true, false]);
      assert.deepEqual((await eventsOf(result, 3)).slice(0, 3), ['ADDED a', 'ADDED b', 'ADDED c']);
      other.close();
    });

    it('follows one object on the old path', async () => {
      const { result } = await cluster.expect(200, 'GET /api/v1/watch/namespaces/default/configmaps/b');
      assert.ok(result?.kind === 'watch');
      assert.deepEqual(await eventsOf(result, 1), ['ADDED b']);
      await cluster.expect(
        400,
        'GET /api/v1/watch/namespaces/default/configmaps/b?fieldSelector=metadata.name%3Da',
      );
    });
  });
});
