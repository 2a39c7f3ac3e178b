import assert from 'node:assert/strict';
import { readSources } from './imports.ts';

describe('names as data', () => {
  it('no source outside names/ spells the domain of a naming profile', () => {
    const found = readSources()
      .filter(({ path }) => !path.startsWith('names/'))
      .flatMap(({ path, text }) =>
        text
          .split('\n')
          .flatMap((line, index) => (spellsDomain(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
      );
    assert.deepEqual(found, []);
  });
});

/** `io.k8s.…` names of OpenAPI components are the same in every profile and no domain. */
function spellsDomain(line: string): boolean {
  return /\b(k8s|kubernetes|orch)\.io\b|\bvnd\.(kubernetes|orch)\b|\bx-(kubernetes|orch)-/i.test(line);
}
