import assert from 'node:assert/strict';
import {
  checkControllers,
  controllerAccount,
  runsController,
} from '../../../../src/app/options/controllers.ts';

describe('--controllers', () => {
  const known: readonly (readonly string[])[] = [
    ['*'],
    ['-*'],
    [],
    ['*', '-namespace-controller'],
    ['namespace', '-garbagecollector', 'token-cleaner-controller'],
  ];
  for (const list of known) {
    it(`may be ${list.join(',') || 'empty'}`, () => assert.deepEqual(checkControllers(list), []));
  }

  it('names only controllers that there are, and says which those are', () => {
    const [problem = '', ...more] = checkControllers([
      '*',
      'nodeipam',
      '-namespaces',
      '',
      'Namespace',
      '__proto__',
    ]);
    assert.deepEqual(more, []);
    assert.match(
      problem,
      /^--controllers: there is no "nodeipam", "-namespaces", "", "Namespace", "__proto__"; there are /,
    );
    assert.match(problem, / bootstrap-signer-controller, .* namespace-controller,/);
  });

  it('takes out by a name what runs by default, in any order', () => {
    assert.equal(runsController(['-namespace', '*'], 'namespace-controller'), false);
    assert.equal(runsController(['-namespace', 'namespace-controller'], 'namespace-controller'), true);
    assert.equal(runsController(['-*'], 'namespace-controller'), false);
  });

  it('knows whose accounts controllers have', () => {
    assert.equal(controllerAccount('garbage-collector-controller'), 'generic-garbage-collector');
    assert.equal(controllerAccount('serviceaccount-token-controller'), undefined);
    assert.throws(() => controllerAccount('unheard-of-controller'), /unheard-of-controller/);
  });
});
