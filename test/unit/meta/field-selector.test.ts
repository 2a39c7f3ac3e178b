import assert from 'node:assert/strict';
import { parseFieldSelector } from '../../../src/meta/field-selector.ts';
import { SelectorError } from '../../../src/meta/selector-error.ts';

const SELECTABLE = ['metadata.name', 'metadata.namespace', 'spec.nodeName'];

describe('field selectors', () => {
  const cases: [selector: string, fields: Record<string, string>, chosen: boolean][] = [
    ['', {}, true],
    [',', {}, true],
    ['metadata.name=a', { 'metadata.name': 'a' }, true],
    ['metadata.name==a', { 'metadata.name': 'b' }, false],
    ['metadata.name!=a', { 'metadata.name': 'b' }, true],
    ['spec.nodeName=', {}, true],
    ['spec.nodeName!=', {}, false],
    ['metadata.name=a,,spec.nodeName=n,', { 'metadata.name': 'a', 'spec.nodeName': 'n' }, true],
    ['metadata.name=a,metadata.name=b', { 'metadata.name': 'a' }, false],
    [String.raw`metadata.name=a\,b\=c\\d`, { 'metadata.name': String.raw`a,b=c\d` }, true],
  ];
  for (const [selector, fields, chosen] of cases) {
    it(`${JSON.stringify(selector)} ${chosen ? 'chooses' : 'leaves out'} ${JSON.stringify(fields)}`, () => {
      const parsed = parseFieldSelector(selector, SELECTABLE);
      assert.equal(
        parsed.matches((path) => fields[path] ?? ''),
        chosen,
      );
    });
  }

  it('tell the value that they demand of a field', () => {
    const selector = parseFieldSelector('metadata.name!=x,metadata.name=a,spec.nodeName!=n', SELECTABLE);
    assert.equal(selector.demanded('metadata.name'), 'a');
    assert.equal(selector.demanded('spec.nodeName'), undefined);
  });

  for (const selector of [
    'metadata.name',
    'data.k=1',
    ' metadata.name=a',
    'metadata.name =a',
    '=a',
    'metadata.name>a',
    'metadata.name in (a)',
    'metadata.name=a=b',
    'metadata.name!==a',
    String.raw`metadata.name=a\b`,
    'metadata.name=a\\',
    'constructor=a',
  ]) {
    it(`${JSON.stringify(selector)} is refused`, () =>
      assert.throws(() => parseFieldSelector(selector, SELECTABLE), SelectorError));
  }
});
