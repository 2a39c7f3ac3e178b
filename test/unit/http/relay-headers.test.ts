import assert from 'node:assert/strict';
import { answerHeaders, redirectTarget, requestHeaders } from '../../../src/http/relay/headers.ts';

describe('headers of requests that are passed on', () => {
  const from = { address: '10.1.1.1', uri: '/x' };
  const none = (): boolean => false;

  it('leave out what is for this connection, by name or as it says itself', () => {
    const headers = { connection: 'Close, X-Mine', 'x-mine': '1', 'keep-alive': '5', upgrade: 'h2c', a: 'b' };
    const { 'x-forwarded-for': _for, 'x-forwarded-uri': _uri, ...sent } = requestHeaders(headers, none, from);
    assert.deepEqual(sent, { a: 'b' });
  });

  it('tell all hosts that they came from, and the authority of HTTP/2 as the host', () => {
    const headers = { ':authority': 'api:1', ':path': '/', 'x-forwarded-for': '10.9.9.9' };
    assert.deepEqual(requestHeaders(headers, none, from), {
      host: 'api:1',
      'x-forwarded-for': '10.9.9.9, 10.1.1.1',
      'x-forwarded-uri': '/x',
    });
  });

  it('keep several cookies of an answer apart', () => {
    const answer = { 'set-cookie': ['a=1', 'b=2'], 'transfer-encoding': 'chunked', etag: 'x' };
    assert.deepEqual(answerHeaders(answer), { 'set-cookie': ['a=1', 'b=2'], etag: 'x' });
  });
});

describe('a redirect of another server', () => {
  const cases: Record<string, string> = {
    '/a?b#c': '/p/a?b#c',
    '/p/a': '/p/a',
    '/p': '/p',
    '/pa': '/p/pa',
    'https://node:1/a': '/p/a',
    'https://node:2/a': 'https://node:2/a',
    '//other/a': '//other/a',
    'a/b': 'a/b',
    '': '',
  };
  for (const [location, wanted] of Object.entries(cases)) {
    it(`to ${JSON.stringify(location)} leads to ${JSON.stringify(wanted)}`, () =>
      assert.equal(redirectTarget(location, '/p', ['node:1']), wanted));
  }
});
