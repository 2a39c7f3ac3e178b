import assert from 'node:assert/strict';
import ts from 'typescript';
import { readSources } from './imports.ts';

/** Sizes are told, not judged: review looks at the tail. */
describe('sizes', () => {
  const sources = readSources();

  it('of files, in lines', function () {
    report(
      this,
      sources.map(({ path, text }) => ({ what: path, lines: text.split('\n').length - 1 })),
    );
  });

  it('of functions, in lines', function () {
    report(this, sources.flatMap(functionSizes));
  });
});

interface Size {
  readonly what: string;
  readonly lines: number;
}

function functionSizes({ path, text }: { path: string; text: string }): Size[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const sizes: Size[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const first = file.getLineAndCharacterOfPosition(node.getStart(file)).line;
      const last = file.getLineAndCharacterOfPosition(node.end).line;
      sizes.push({ what: `${path}:${first + 1}`, lines: last - first + 1 });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return sizes;
}

function report(test: Mocha.Context, sizes: Size[]): void {
  assert.ok(sizes.length > 0);
  sizes.sort((a, b) => a.lines - b.lines);
  const at = (share: number): number => sizes[Math.floor((sizes.length - 1) * share)]?.lines ?? 0;
  const largest = sizes.at(-1);
  const text = `p50 ${at(0.5)}, p90 ${at(0.9)}, max ${largest?.lines} (${largest?.what})`;
  if (test.test) test.test.title += `: ${text}`;
}
