import assert from 'node:assert/strict';
import { choosePlugins, PLUGIN_ORDER } from '../../../src/admission/order.ts';
import { loadFlagTable, rowsOf } from '../../../src/app/options/flag-table.ts';

describe('the choice of admission plugins', () => {
  const plugins = ['ResourceQuota', 'NodeRestriction', 'NamespaceLifecycle'].map((name) => ({ name }));
  for (const [title, enabled, disabled, expected] of [
    ['those that run by default, in order', [], [], 'NamespaceLifecycle,ResourceQuota'],
    [
      'those that are enabled, too',
      ['NodeRestriction'],
      [],
      'NamespaceLifecycle,NodeRestriction,ResourceQuota',
    ],
    ['none that is disabled', [], ['NamespaceLifecycle'], 'ResourceQuota'],
    [
      'what is enabled as well as disabled',
      ['ResourceQuota'],
      ['ResourceQuota', 'NamespaceLifecycle'],
      'ResourceQuota',
    ],
  ] as const) {
    it(`takes ${title}`, () => {
      const names = choosePlugins(plugins, { enabled, disabled }).map(({ name }) => name);
      assert.equal(names.join(), expected);
    });
  }

  it('knows the plugins that the flags take, and no others', () => {
    const flag = rowsOf(loadFlagTable('kubernetes')).get('enable-admission-plugins');
    assert.deepEqual([...PLUGIN_ORDER].sort(), [...(flag?.values ?? [])].sort());
  });
});
