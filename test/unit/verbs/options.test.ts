import assert from 'node:assert/strict';
import { ApiError } from '../../../src/errors/api-error.ts';
import type { JsonObject } from '../../../src/meta/object.ts';
import { readDeleteOptions } from '../../../src/verbs/options/delete-options.ts';
import {
  checkListOptions,
  checkWatchOptions,
  readAtOfGet,
  readAtOfList,
  readListOptions,
  startOfWatch,
  withInitialEvents,
} from '../../../src/verbs/options/list-options.ts';
import { managerOfUserAgent, readWriteOptions } from '../../../src/verbs/options/write-options.ts';

const GROUP = 'meta.example';

function code(run: () => unknown): number {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    return error.code;
  }
  return 200;
}

const listOptions = (query: string) => readListOptions(new URLSearchParams(query));

function list(query: string): string {
  const options = listOptions(query);
  checkListOptions(options, GROUP);
  const at = readAtOfList(options);
  return 'revision' in at ? `${at.at} ${String(at.revision)}` : at.at;
}

function watch(query: string, streamsLists = true): string {
  const options = streamsLists ? withInitialEvents(listOptions(query)) : listOptions(query);
  checkWatchOptions(options, { metaGroup: GROUP, streamsLists });
  const start = startOfWatch(options);
  if (start === 'now') return 'now';
  return start.from === 'after' ? 'after' : `state ${start.at.at}`;
}

describe('list options', () => {
  for (const [query, expected] of [
    ['', 'latest'],
    ['resourceVersion=', 'latest'],
    ['resourceVersion=0', 'any'],
    ['resourceVersion=0&limit=5', 'any'],
    ['limit=5', 'latest'],
    ['resourceVersion=0&resourceVersionMatch=NotOlderThan', 'any'],
    ['continue=abc', 'latest'],
    ['continue=abc&resourceVersion=0', 'latest'],
  ] as const) {
    it(`read "${query}" at ${expected}`, () => assert.equal(list(query), expected));
  }

  for (const [query, expected] of [
    ['resourceVersion=7', 'notOlderThan'],
    ['resourceVersion=7&limit=5', 'exact'],
    ['resourceVersion=7&resourceVersionMatch=NotOlderThan&limit=5', 'notOlderThan'],
    ['resourceVersion=7&resourceVersionMatch=Exact', 'exact'],
  ] as const) {
    it(`read "${query}" at ${expected}`, () => assert.match(list(query), new RegExp(`^${expected} `)));
  }

  for (const [query, expected] of [
    ['resourceVersionMatch=Exact', 422],
    ['resourceVersionMatch=NotOlderThan', 422],
    ['resourceVersion=1&resourceVersionMatch=Newest', 422],
    ['resourceVersion=0&resourceVersionMatch=Exact', 422],
    ['resourceVersion=1&resourceVersionMatch=Exact&continue=abc', 422],
    ['sendInitialEvents=true', 422],
    ['sendInitialEvents=false', 422],
    ['continue=abc&resourceVersion=3', 400],
    ['resourceVersion=-1', 400],
    ['resourceVersion=1.5', 400],
    ['resourceVersion=abc', 400],
    [`resourceVersion=${'9'.repeat(400)}`, 400],
    ['limit=many', 400],
    ['limit=', 400],
    ['limit=99999999999999999999', 400],
    ['timeoutSeconds=1e3', 400],
  ] as const) {
    it(`refuse "${query.slice(0, 60)}" with ${expected}`, () =>
      assert.equal(
        code(() => list(query)),
        expected,
      ));
  }

  it('clamp whole numbers that a number can not hold', () => {
    assert.equal(listOptions('limit=9223372036854775807').limit, Number.MAX_SAFE_INTEGER);
    assert.equal(listOptions('limit=-9223372036854775808').limit, Number.MIN_SAFE_INTEGER);
  });
});

describe('watch options', () => {
  for (const [query, expected] of [
    ['', 'state latest'],
    ['resourceVersion=0', 'state any'],
    ['resourceVersion=7', 'after'],
    ['sendInitialEvents=true&resourceVersionMatch=NotOlderThan', 'state latest'],
    ['sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=0', 'state any'],
    ['sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=7', 'state notOlderThan'],
    ['sendInitialEvents=false&resourceVersionMatch=NotOlderThan', 'now'],
    ['sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion=7', 'after'],
  ] as const) {
    it(`start "${query}" from ${expected}`, () => assert.equal(watch(query), expected));
  }

  for (const [query, expected] of [
    ['sendInitialEvents=true', 422],
    ['sendInitialEvents=false', 422],
    ['sendInitialEvents=true&resourceVersionMatch=Exact&resourceVersion=7', 422],
    ['resourceVersionMatch=NotOlderThan', 422],
    ['resourceVersion=7&resourceVersionMatch=Exact', 422],
    ['sendInitialEvents=true&resourceVersionMatch=NotOlderThan&continue=abc', 422],
    ['resourceVersion=abc', 400],
  ] as const) {
    it(`refuse "${query}" with ${expected}`, () =>
      assert.equal(
        code(() => watch(query)),
        expected,
      ));
  }
});

describe('watch options without streamed lists', () => {
  for (const [query, expected] of [
    ['', 'state latest'],
    ['resourceVersion=0', 'state any'],
    ['resourceVersion=7', 'after'],
    ['continue=abc', 'state latest'],
  ] as const) {
    it(`start "${query}" from ${expected}`, () => assert.equal(watch(query, false), expected));
  }

  for (const asked of ['true', 'false']) {
    it(`refuse sendInitialEvents=${asked}`, () => {
      const query = `sendInitialEvents=${asked}&resourceVersionMatch=NotOlderThan`;
      assert.equal(
        code(() => watch(query, false)),
        422,
      );
    });
  }
});

describe('the freshness of a get', () => {
  const get = (query: string) => readAtOfGet(new URLSearchParams(query));

  for (const [query, expected] of [
    ['', 'latest'],
    ['resourceVersion=', 'latest'],
    ['resourceVersion=0', 'any'],
    ['resourceVersion=9', 'notOlderThan'],
    ['resourceVersion=9&resourceVersionMatch=NotOlderThan', 'notOlderThan'],
    ['resourceVersion=9&resourceVersionMatch=Exact', 'exact'],
    // Where the match has no meaning it is ignored.
    ['resourceVersionMatch=Exact', 'latest'],
    ['resourceVersion=0&resourceVersionMatch=Exact', 'any'],
    ['resourceVersion=9&resourceVersionMatch=exact', 'notOlderThan'],
    ['resourceVersion=9&resourceVersionMatch=Newest', 'notOlderThan'],
  ] as const) {
    it(`of "${query}" is ${expected}`, () => assert.equal(get(query).at, expected));
  }

  for (const query of [
    'resourceVersion=x',
    'resourceVersion=-1',
    'resourceVersion=x&resourceVersionMatch=Exact',
  ]) {
    it(`of "${query}" makes no sense`, () =>
      assert.equal(
        code(() => get(query)),
        400,
      ));
  }
});

describe('write options', () => {
  const read = (query: string, userAgent = '', kind: 'CreateOptions' | 'PatchOptions' = 'CreateOptions') =>
    readWriteOptions(kind, { query: new URLSearchParams(query), userAgent, metaGroup: GROUP });

  it('have defaults', () => {
    assert.deepEqual(read('', 'client/1.0 (linux)'), {
      dryRun: false,
      fieldValidation: 'Warn',
      fieldManager: 'client',
    });
  });

  it('are taken from the query', () => {
    assert.deepEqual(read('dryRun=All&fieldValidation=Strict&fieldManager=me', 'client/1.0'), {
      dryRun: true,
      fieldValidation: 'Strict',
      fieldManager: 'me',
    });
  });

  for (const query of ['dryRun', 'dryRun=']) {
    it(`take ?${query} for a normal request`, () => assert.equal(read(query).dryRun, false));
  }

  for (const query of [
    'dryRun=Some',
    'dryRun=None',
    'dryRun=All&dryRun=None',
    'fieldValidation=strict',
    `fieldManager=${'m'.repeat(129)}`,
    `fieldManager=${'\u00e9'.repeat(65)}`,
    'fieldManager=a%00b',
    'fieldManager=a%0Ab',
  ]) {
    it(`refuse ${query.slice(0, 40)}`, () =>
      assert.equal(
        code(() => read(query)),
        422,
      ));
  }

  it('refuse force on patches that are no apply', () => {
    assert.equal(
      code(() => read('force=true', '', 'PatchOptions')),
      422,
    );
    assert.equal(
      code(() => read('force=true')),
      200,
    );
  });

  it('bound the manager taken from a User-Agent without cutting a character', () => {
    assert.equal(managerOfUserAgent(`${'a'.repeat(127)}\u00e9/1`), 'a'.repeat(127));
    assert.equal(managerOfUserAgent('a\u0007b/1'), 'ab');
    assert.equal(managerOfUserAgent('/1'), '');
  });
});

describe('the problems of write options', () => {
  it('are told in the order of the reference', () => {
    const query = new URLSearchParams('dryRun=x&fieldValidation=y&force=true');
    query.set('fieldManager', 'x'.repeat(200));
    try {
      readWriteOptions('PatchOptions', { query, userAgent: '', metaGroup: GROUP });
      assert.fail('not refused');
    } catch (error) {
      const fields = (error as ApiError).details?.causes?.map(({ field }) => field);
      assert.deepEqual(fields, ['force', 'fieldManager', 'dryRun', 'fieldValidation']);
    }
  });
});

describe('delete options', () => {
  const read = (query: string, body?: JsonObject, allowsUnread = true) =>
    readDeleteOptions({ body, query: new URLSearchParams(query), metaGroup: GROUP, allowsUnread });

  for (const query of ['dryRun', 'dryRun=']) {
    it(`take ?${query} for a normal request`, () => assert.equal(read(query).dryRun, false));
  }

  it('come from the query without a body', () => {
    const options = read('gracePeriodSeconds=5&propagationPolicy=Orphan&dryRun=All');
    assert.equal(options.gracePeriodSeconds, 5);
    assert.equal(options.propagationPolicy, 'Orphan');
    assert.equal(options.dryRun, true);
  });

  it('come from the body alone when there is one', () => {
    const options = read('gracePeriodSeconds=5&dryRun=All', {
      preconditions: { uid: 'u', resourceVersion: '3' },
    });
    assert.equal(options.gracePeriodSeconds, undefined);
    assert.equal(options.dryRun, false);
    assert.deepEqual(options.preconditions, { uid: 'u', resourceVersion: '3' });
  });

  it('have preconditions only where they say something: empty texts count in a body alone', () => {
    assert.equal(read('uid=&resourceVersion=').preconditions, undefined);
    assert.deepEqual(read('uid=u').preconditions, { uid: 'u' });
    assert.equal(read('', { preconditions: null }).preconditions, undefined);
    assert.deepEqual(read('', { preconditions: {} }).preconditions, {});
    assert.deepEqual(read('', { preconditions: { uid: '' } }).preconditions, { uid: '' });
  });

  it('tell every problem, in the order of the reference', () => {
    const body = { dryRun: ['x'], propagationPolicy: 'Nope', orphanDependents: true };
    assert.deepEqual(causes(body), ['propagationPolicy', 'propagationPolicy', 'dryRun']);
  });

  const UNREAD = 'ignoreStoreReadErrorWithClusterBreakingPotential';
  const causes = (body: JsonObject): unknown[] => {
    try {
      read('', body);
      return [];
    } catch (error) {
      return (error as ApiError).details?.causes?.map(({ field }) => field) ?? [];
    }
  };

  it('take nothing else together with the removal of what can not be read', () => {
    assert.equal(read(`${UNREAD}=true`).unread, true);
    assert.equal(read(`${UNREAD}=false&dryRun=All`).unread, false);
    assert.equal(read('', { [UNREAD]: true, dryRun: [] }).unread, true);
    for (const other of [
      { dryRun: ['All'] },
      { gracePeriodSeconds: 0 },
      { orphanDependents: false },
      { preconditions: {} },
      { propagationPolicy: 'Orphan' },
    ]) {
      assert.deepEqual(causes({ [UNREAD]: true, ...other }), [UNREAD], JSON.stringify(other));
    }
  });

  it('do not know that option unless its gate is on', () => {
    const { unread } = read('', { [UNREAD]: true, dryRun: ['All'] }, false);
    assert.equal(unread, false);
  });

  for (const [query, expected] of [
    ['propagationPolicy=Later', 422],
    ['propagationPolicy=Orphan&orphanDependents=true', 422],
    ['dryRun=Perhaps', 422],
    ['dryRun=None', 422],
    ['gracePeriodSeconds=soon', 400],
    ['gracePeriodSeconds=9223372036854775807', 400],
  ] as const) {
    it(`refuse ${query} with ${expected}`, () =>
      assert.equal(
        code(() => read(query)),
        expected,
      ));
  }
});
