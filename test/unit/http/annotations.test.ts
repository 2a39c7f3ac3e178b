import assert from 'node:assert/strict';
import { MethodNames } from '../../../src/authn/method-names.ts';
import { ANONYMOUS } from '../../../src/authn/authenticator.ts';
import { authentication } from '../../../src/http/filters/authentication.ts';
import { authorization } from '../../../src/http/filters/authorization.ts';
import { runPipeline } from '../../../src/http/pipeline.ts';
import { memoryExchange } from '../../support/memory-exchange.ts';

const user = { name: 'jane', uid: '', groups: [], extra: {} };

describe('what the audit is told of identity', () => {
  for (const [verdict, decision] of [
    ['allow', 'allow'],
    ['noOpinion', 'forbid'],
    ['deny', 'forbid'],
  ] as const) {
    it(`is who knew the user, and that ${verdict} came to ${decision}, and why`, async () => {
      const methods = new MethodNames();
      const authenticate = methods.named('x509', () => Promise.resolve(user));
      const { exchange } = memoryExchange({ url: '/version' });
      const filters = [
        authentication(
          async (credentials) => (await authenticate(credentials)) ?? ANONYMOUS,
          { tokenPrefix: 'none.', method: 'method' },
          (one) => methods.of(one),
        ),
        authorization(
          {
            authorize: () => Promise.resolve({ verdict, reason: 'because' }),
            denied: () => new Error('denied'),
          },
          { decision: 'decision', reason: 'reason' },
        ),
      ];
      const running = runPipeline(exchange, filters, () => exchange.annotate('reason', 'a later one'));
      if (verdict === 'allow') await running;
      else await assert.rejects(running, /denied/);
      assert.deepEqual(
        [...exchange.annotations],
        [
          ['method', 'x509'],
          ['decision', decision],
          ['reason', 'because'],
        ],
      );
    });
  }

  it('knows who shows nothing', () => {
    assert.equal(new MethodNames().of(ANONYMOUS), 'anonymous');
    assert.equal(new MethodNames().of(user), undefined);
  });
});
