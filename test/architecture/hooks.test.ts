import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const TESTS = join(import.meta.dirname, '..');

describe('tests', () => {
  it('have their hooks inside a describe: others would run around every test of every file', () => {
    const found = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.test.ts'))
      .filter((path) => /^(?:before|after)(?:Each)?\(/m.test(readFileSync(join(TESTS, path), 'utf8')));
    assert.deepEqual(found, []);
  });
});
