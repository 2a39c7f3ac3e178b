import assert from 'node:assert/strict';
import { isProgressReliable, ProgressSupport } from '../../../src/storage/etcd/progress-support.ts';

describe('reliable progress', () => {
  const table: [string, boolean][] = [
    ['3.4.30', false],
    ['3.4.31', true],
    ['3.4.31-rc.0', false],
    ['3.5.0', false],
    ['3.5.12', false],
    ['3.5.13', true],
    ['3.5.13-rc.0', false],
    ['3.5.14-rc.0', true],
    ['3.5.21', true],
    ['3.6.0', true],
    ['3.3.99', false],
    ['2.9.99', false],
    ['4.0.0', true],
    ['', false],
    ['unknown', false],
  ];
  for (const [version, reliable] of table) {
    it(`${version === '' ? 'no version' : version}: ${reliable}`, () => {
      assert.equal(isProgressReliable(version), reliable);
    });
  }

  it('a cluster is as good as its worst known member', () => {
    const support = new ProgressSupport();
    assert.equal(support.everywhere, false);
    assert.equal(support.known('a'), undefined);
    assert.equal(support.learn('a', '3.5.21'), true);
    assert.equal(support.everywhere, true);
    assert.equal(support.learn('b', '3.5.1'), false);
    assert.deepEqual([support.everywhere, support.known('a'), support.known('b')], [false, true, false]);
    support.learn('b', '3.5.13');
    assert.equal(support.everywhere, true);
  });
});
