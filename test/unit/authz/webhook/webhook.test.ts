import assert from 'node:assert/strict';
import { selectorsOf } from '../../../../src/authz/selectors.ts';
import {
  webhookAuthorizer,
  type WebhookAuthorizerOptions,
} from '../../../../src/authz/webhook/authorizer.ts';
import { compileConditions, matchConditions } from '../../../../src/authz/webhook/conditions.ts';
import { reviewedRequest } from '../../../../src/registry/reviews/access-spec.ts';
import type { RequestInfo } from '../../../../src/request/request-info.ts';
import { loadExpressions, type ExpressionCompiler } from '../../../../src/schema/expressions/compile.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const API = 'authorization.example.com/v1';
const jane = { name: 'jane', uid: 'u1', groups: ['dev'], extra: { scope: ['a'] } };
const pods = reviewedRequest({ resourceAttributes: { verb: 'list', resource: 'pods', namespace: 'n' } });

type Review = Readonly<Record<string, unknown>>;
const answer = (status: object): Review => ({ kind: 'SubjectAccessReview', apiVersion: API, status });

function authorizer(replies: readonly (Review | Error)[], over: Partial<WebhookAuthorizerOptions> = {}) {
  const clock = new ManualClock();
  const sent: object[] = [];
  const told: string[] = [];
  const mode = webhookAuthorizer({
    call(review) {
      const reply = replies[Math.min(sent.length, replies.length - 1)] as Review | Error;
      sent.push(review);
      return reply instanceof Error ? Promise.reject(reply) : Promise.resolve(reply);
    },
    group: 'authorization.example.com',
    version: 'v1',
    authorizedTtlMs: 300_000,
    unauthorizedTtlMs: 30_000,
    failurePolicy: 'NoOpinion',
    selectorsOf,
    observer: {
      called: (result) => void told.push(result),
      failedOpen: (result) => void told.push(`open ${result}`),
    },
    clock,
    ...over,
  });
  const ask = async (info: RequestInfo = pods, user = jane) => mode.authorize({ user, info });
  return { ask, sent, told, clock, mode };
}

describe('the webhook authorizer', () => {
  it('asks by a review of the version that is wanted', async () => {
    const info = {
      ...pods,
      version: 'v1',
      fieldSelector: 'spec.nodeName=a',
      labelSelector: 'app in (b,a),n>1',
    };
    const { ask, sent } = authorizer([answer({ allowed: true })]);
    await ask(info);
    const resourceAttributes = {
      ...{ namespace: 'n', verb: 'list', version: 'v1', resource: 'pods' },
      fieldSelector: { requirements: [{ key: 'spec.nodeName', operator: 'In', values: ['a'] }] },
      labelSelector: { requirements: [{ key: 'app', operator: 'In', values: ['a', 'b'] }] },
    };
    const subject = { user: 'jane', uid: 'u1', extra: { scope: ['a'] } };
    assert.deepEqual(sent, [
      {
        ...{ kind: 'SubjectAccessReview', apiVersion: API, metadata: { creationTimestamp: null } },
        spec: { resourceAttributes, ...subject, groups: ['dev'] },
        status: { allowed: false },
      },
    ]);
    const beta = authorizer([answer({})], { version: 'v1beta1' });
    await beta.ask(reviewedRequest({ nonResourceAttributes: { verb: 'get', path: '/x' } }));
    const { apiVersion, spec } = beta.sent[0] as { apiVersion: string; spec: object };
    assert.equal(apiVersion, 'authorization.example.com/v1beta1');
    assert.deepEqual(spec, {
      nonResourceAttributes: { path: '/x', verb: 'get' },
      ...subject,
      group: ['dev'],
    });
  });

  for (const [name, status, expected] of [
    ['allowed', { allowed: true, reason: 'yes' }, { verdict: 'allow', reason: 'yes' }],
    ['denied', { denied: true, reason: 'no' }, { verdict: 'deny', reason: 'no' }],
    ['neither', { allowed: false, reason: 'dunno' }, { verdict: 'noOpinion', reason: 'dunno' }],
    ['nothing', {}, { verdict: 'noOpinion', reason: '' }],
    [
      'both',
      { allowed: true, denied: true },
      { verdict: 'deny', reason: '', problem: 'the webhook both allowed and denied the request' },
    ],
  ] as const) {
    it(`takes ${name} for what it says`, async () => {
      assert.deepEqual(await authorizer([answer(status)]).ask(), expected);
    });
  }

  for (const [name, reply] of [
    ['an error', new Error('the webhook answered 500')],
    ['another kind', { ...answer({ allowed: true }), kind: 'TokenReview' }],
    ['another version', { ...answer({ allowed: true }), apiVersion: 'authorization.example.com/v1beta1' }],
    ['a text for a boolean', answer({ allowed: 'true' })],
    ['a list for a status', { ...answer({}), status: [] }],
    ['a number for a reason', answer({ allowed: true, reason: 5 })],
  ] as const) {
    it(`takes ${name} for a failure, which the policy decides, and asks anew the next time`, async () => {
      const open = authorizer([reply, answer({ allowed: true })]);
      const { verdict, problem } = await open.ask();
      assert.equal(verdict, 'noOpinion');
      assert.notEqual(problem, undefined);
      assert.deepEqual(open.told, ['error', 'open error']);
      assert.equal((await open.ask()).verdict, 'allow');
      const closed = authorizer([reply], { failurePolicy: 'Deny' });
      assert.equal((await closed.ask()).verdict, 'deny');
      assert.deepEqual(closed.told, ['error']);
    });
  }

  it('keeps what is allowed longer than what is not, and neither for longer than it may', async () => {
    for (const [status, ttl] of [
      [{ allowed: true }, 300_000],
      [{ denied: true }, 30_000],
      [{}, 30_000],
    ] as const) {
      const { ask, sent, clock } = authorizer([answer(status)]);
      await ask();
      clock.advance(ttl - 1);
      await ask();
      assert.equal(sent.length, 1);
      clock.advance(1);
      await ask();
      assert.equal(sent.length, 2);
    }
  });

  it('asks once where many ask the same at once, and once for each user', async () => {
    const { ask, sent } = authorizer([answer({ allowed: true })]);
    await Promise.all([ask(), ask(), ask()]);
    assert.equal(sent.length, 1);
    await ask(pods, { ...jane, groups: ['ops'] });
    assert.equal(sent.length, 2);
  });

  it('keeps no answers to endless questions, and only so many', async () => {
    const { ask, sent } = authorizer([answer({ allowed: true })]);
    const long = { ...pods, name: 'x'.repeat(10_000) };
    await ask(long);
    await ask(long);
    assert.equal(sent.length, 2);
    await ask();
    for (let i = 0; i < 8192; i++) await ask({ ...pods, name: String(i) });
    const before = sent.length;
    await ask();
    assert.equal(sent.length, before + 1);
  });

  it('says that it can not list rules', () => {
    const { incomplete, problems } = authorizer([answer({})]).mode.rulesFor(jane, 'n');
    assert.equal(incomplete, true);
    assert.equal(problems.length, 1);
  });
});

describe('conditions of a webhook', () => {
  let compiler: ExpressionCompiler;
  before(async () => {
    compiler = await loadExpressions();
  });

  const FAILS = "request.extra['missing'][0] == 'x'";
  const TRUE = "request.resourceAttributes.namespace == 'n'";
  const FALSE = "'dev' in request.groups && request.user == 'joe'";

  for (const [name, texts, calls, verdict, events] of [
    ['all true: it is asked', [TRUE, 'has(request.resourceAttributes)'], 1, 'allow', []],
    ['one false: it is not', [TRUE, FALSE], 0, 'noOpinion', ['excluded']],
    ['an error and one false: it is not', [FAILS, FALSE], 0, 'noOpinion', ['excluded']],
    ['an error: the policy decides', [FAILS, TRUE], 0, 'deny', ['failed']],
    [
      'selectors',
      ["request.resourceAttributes.fieldSelector.requirements.exists(r, r.key == 'a')"],
      1,
      'allow',
      [],
    ],
    [
      'what is empty is there',
      ["request.resourceAttributes.name == '' && request.uid != ''"],
      1,
      'allow',
      [],
    ],
  ] as const) {
    it(name, async () => {
      const { expressions, errors } = compileConditions(texts, 'c', compiler);
      assert.deepEqual(errors, []);
      const told: string[] = [];
      const observer = {
        evaluated: () => undefined,
        failed: () => void told.push('failed'),
        excluded: () => void told.push('excluded'),
      };
      const { ask, sent } = authorizer([answer({ allowed: true })], {
        failurePolicy: 'Deny',
        conditions: matchConditions(expressions, observer, () => 0),
      });
      assert.equal((await ask({ ...pods, fieldSelector: 'a=b' })).verdict, verdict);
      assert.equal(sent.length, calls);
      assert.deepEqual(told, events);
    });
  }

  it('are refused by their paths: empty, repeated, wrong, or too many', () => {
    const { errors } = compileConditions([TRUE, ' ', TRUE, 'request.nobody', 'request.user'], 'c', compiler);
    assert.deepEqual(
      errors.map(({ field, reason }) => `${field} ${reason}`),
      [
        'c[1].expression FieldValueRequired',
        'c[2].expression FieldValueDuplicate',
        'c[3].expression FieldValueInvalid',
        'c[4].expression FieldValueInvalid',
      ],
    );
    const many = Array.from({ length: 65 }, (_, i) => `request.user == '${i}'`);
    assert.equal(compileConditions(many, 'c', compiler).errors[0]?.reason, 'FieldValueTooMany');
    assert.deepEqual(compileConditions(many.slice(1), 'c', compiler).errors, []);
  });
});
