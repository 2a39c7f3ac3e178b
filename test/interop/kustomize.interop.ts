import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { KUSTOMIZATIONS, REFUSED_KUSTOMIZATIONS, writeKustomization } from '../support/kustomizations.ts';
import { findPeer, run, type Outcome } from './peers.ts';

const FIXTURE = join(import.meta.dirname, '../fixtures/kustomizations.json');

/** What the unit tests hold ours against is what kubectl makes of it; RECORD=1 writes it down anew. */
describe('kubectl kustomize', () => {
  const kubectl = findPeer('kubectl');
  const build = (path: string): Outcome => run(kubectl, ['kustomize', path]);
  const recorded: Record<string, unknown> = {};

  for (const one of KUSTOMIZATIONS) {
    it(`builds ${one.name} as it is written down`, () => {
      const { path, remove } = writeKustomization(one);
      const { stdout, stderr, status } = build(path);
      remove();
      assert.equal(status, 0, stderr);
      recorded[one.name] = parseAllDocuments(stdout).map((document) => document.toJS() as unknown);
      if (process.env['RECORD'] !== undefined) return;
      const expected = JSON.parse(readFileSync(FIXTURE, 'utf8')) as Record<string, unknown>;
      assert.deepEqual(recorded[one.name], expected[one.name]);
    });
  }

  for (const one of REFUSED_KUSTOMIZATIONS) {
    it(`refuses ${one.name}`, () => {
      const { path, remove } = writeKustomization(one);
      assert.equal(build(path).status, 1);
      remove();
    });
  }

  after(() => {
    if (process.env['RECORD'] !== undefined) writeFileSync(FIXTURE, `${JSON.stringify(recorded, null, 1)}\n`);
  });
});
