import assert from 'node:assert/strict';
import {
  dns1035LabelProblems,
  dnsLabelProblems,
  dnsSubdomainProblems,
  labelValueProblems,
  pathSegmentProblems,
  qualifiedNameProblems,
  type Problems,
} from '../../../src/meta/names.ts';

/** How many rules a text breaks. */
function counts(check: (text: string) => Problems, cases: readonly (readonly [string, number])[]): void {
  for (const [text, problems] of cases) {
    const shown = text.length > 30 ? `${text.slice(0, 10)}… (${text.length})` : JSON.stringify(text);
    it(`${shown}: ${problems === 0 ? 'good' : `breaks ${problems}`}`, () =>
      assert.equal(check(text).length, problems));
  }
}

describe('DNS subdomains', () =>
  counts(dnsSubdomainProblems, [
    ['a', 0],
    ['a.b-c.9', 0],
    ['a'.repeat(253), 0],
    ['a'.repeat(254), 1],
    [`${'a'.repeat(254)}.`, 2],
    ['', 1],
    ['A', 1],
    ['a..b', 1],
    ['.a', 1],
    ['a.', 1],
    ['-a', 1],
    ['a-', 1],
    ['a.-b', 1],
    ['a_b', 1],
    ['é', 1],
    ['constructor', 0],
  ]));

describe('DNS labels', () => {
  counts(dnsLabelProblems, [
    ['a-1', 0],
    ['1a', 0],
    ['a'.repeat(63), 0],
    ['a'.repeat(64), 1],
    ['A'.repeat(64), 2],
    ['a.b', 1],
    ['', 1],
  ]);
  counts(dns1035LabelProblems, [
    ['a1', 0],
    ['1a', 1],
    ['a-', 1],
  ]);
});

describe('path segments', () =>
  counts(pathSegmentProblems, [
    ['system:node', 0],
    ['A b', 0],
    ['.', 1],
    ['..', 1],
    ['...', 0],
    ['a/b', 1],
    ['a%2fb', 1],
    ['%/', 2],
  ]));

describe('qualified names', () =>
  counts(qualifiedNameProblems, [
    ['a', 0],
    ['A_b.c-D', 0],
    ['example.com/a', 0],
    ['', 2],
    ['a/', 2],
    ['/a', 1],
    ['a/b/c', 1],
    ['bad key!', 1],
    ['-a', 1],
    ['a'.repeat(64), 1],
    [`${'a'.repeat(63)}!`, 2],
    ['Example.com/a', 1],
    [`${'a'.repeat(254)}/a`, 1],
    ['__proto__', 1],
  ]));

describe('label values', () =>
  counts(labelValueProblems, [
    ['', 0],
    ['a', 0],
    ['A_b.c-9', 0],
    ['a'.repeat(64), 1],
    [`-${'a'.repeat(64)}`, 2],
    ['a b', 1],
    ['a-', 1],
  ]));
