import assert from 'node:assert/strict';
import { ApiError } from '../../../src/errors/api-error.ts';
import { compactJson, type Format } from '../../../src/http/format/format.ts';
import { protobuf } from '../../../src/http/format/protobuf.ts';
import { inMessages } from '../../../src/http/websocket/messages.ts';
import { asksForWebSocket, tokenAmongProtocols } from '../../../src/http/websocket/request.ts';

const PREFIX = 'base64url.bearer.authorization.orch.io.';
const WEB_SOCKET = { upgrade: 'websocket', connection: 'Upgrade' };

describe('a request for a WebSocket', () => {
  for (const [headers, asked] of [
    [WEB_SOCKET, true],
    [{ upgrade: 'WebSocket', connection: 'keep-alive, upgrade' }, true],
    [{ upgrade: 'websocket' }, false],
    [{ upgrade: 'websocket', connection: 'close' }, false],
    [{ upgrade: 'h2c', connection: 'Upgrade' }, false],
    [{ connection: 'Upgrade' }, false],
    [{}, false],
  ] as const) {
    it(`${asked ? 'has' : 'has not'} ${JSON.stringify(headers)}`, () =>
      assert.equal(asksForWebSocket(headers), asked));
  }
});

describe('a token among the protocols of a WebSocket', () => {
  const carrier = (token: string): string => PREFIX + Buffer.from(token).toString('base64url');
  const read = (protocols: string): string | undefined =>
    tokenAmongProtocols({ ...WEB_SOCKET, 'sec-websocket-protocol': protocols }, PREFIX);

  for (const [title, protocols, token] of [
    ['before another protocol', `${carrier('secret')}, binary`, 'secret'],
    ['behind one', `binary,${carrier('schlüssel')}`, 'schlüssel'],
    ['that is empty is none', `${PREFIX}, binary`, undefined],
    ['that is not there is none', 'binary, other', undefined],
  ] as const) {
    it(title, () => assert.equal(read(protocols), token));
  }

  it('is looked for in WebSockets only', () => {
    assert.equal(tokenAmongProtocols({ 'sec-websocket-protocol': carrier('x') }, PREFIX), undefined);
  });

  for (const [title, protocols] of [
    ['without another protocol', carrier('secret')],
    ['given twice', `${carrier('a')}, ${carrier('b')}, binary`],
    ['in another encoding', `${PREFIX}a+b=, binary`],
    ['that has half a byte', `${PREFIX}AAA_A, binary`],
    ['that is no UTF-8', `${PREFIX}${Buffer.from([0xff, 0xfe]).toString('base64url')}, binary`],
  ] as const) {
    it(`is refused ${title}`, () =>
      assert.throws(
        () => read(protocols),
        (error) => error instanceof ApiError && error.reason === 'Unauthorized',
      ));
  }
});

describe('events in messages', () => {
  const events = (format: Format, size: number): Buffer => {
    const { events } = inMessages(format);
    assert.ok(events !== undefined);
    return Buffer.concat([events.head('ADDED', size), Buffer.alloc(size, 'x'), events.tail]);
  };

  for (const [size, header] of [
    [98, [0x81, 125]],
    [99, [0x81, 126, 0, 126]],
    [65_508, [0x81, 126, 0xff, 0xff]],
    [65_509, [0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]],
  ] as const) {
    it(`are one frame of text each, with an object of ${size} bytes`, () => {
      const frame = events(compactJson, size);
      assert.deepEqual([...frame.subarray(0, header.length)], [...header]);
      const text = frame.subarray(header.length).toString();
      assert.equal(text, `{"type":"ADDED","object":${'x'.repeat(size)}}\n`);
    });
  }

  it('are binary in Protobuf, without the length that streams have', () => {
    const stream = protobuf((json) => json);
    const plain = Buffer.concat([stream.events?.head('ADDED', 5) ?? Buffer.alloc(0), Buffer.from('xxxxx')]);
    const frame = events(stream, 5);
    assert.deepEqual([...frame.subarray(0, 2)], [0x82, plain.length - 4]);
    assert.deepEqual(frame.subarray(2), plain.subarray(4));
  });

  it('are missing where a format has none', () => {
    assert.equal(inMessages({ ...compactJson, events: undefined }).events, undefined);
  });
});
