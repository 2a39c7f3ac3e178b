import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REASON_CODES } from '../../../src/errors/api-error.ts';
import { FIELD_ERROR_REASONS } from '../../../src/errors/field-error.ts';

/** The cells of the table's rows below a heading of docs/errors.md. */
function tableOf(heading: string): string[][] {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/errors.md'), 'utf8');
  const section = text.slice(text.indexOf(`\n## ${heading}\n`) + 1).split('\n## ')[0] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

describe('docs/errors.md', () => {
  it('has every reason with its code, and says when it is given', () => {
    const rows = tableOf('Reasons').map(([reason = '', code, when]) => {
      assert.notEqual(when, '', reason);
      return [reason.replaceAll('`', ''), Number(code)];
    });
    assert.deepEqual(Object.fromEntries(rows), REASON_CODES);
  });

  it('has every reason of a field', () => {
    const reasons = tableOf('Causes about fields').map(([reason = '']) => reason.replaceAll('`', ''));
    assert.deepEqual(reasons, [...FIELD_ERROR_REASONS]);
  });
});
