import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { startProcess } from '../support/server-process.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const CONSUMER = join(ROOT, 'test', 'fixtures', 'client-consumer.ts.txt');

/** Compiler options of a program that knows the package by its name only. */
const STRICT: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2024,
  lib: ['lib.es2024.d.ts', 'lib.esnext.disposable.d.ts'],
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
};

describe('orch/client as an installed package', function () {
  this.timeout(120_000);
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'orch-consumer-'));
    install(join(folder, 'node_modules'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    cpSync(CONSUMER, join(folder, 'consumer.ts'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('has the types of the built-in kinds, and of those that are said', () => {
    const program = ts.createProgram([join(folder, 'consumer.ts')], {
      ...STRICT,
      typeRoots: [join(ROOT, 'node_modules', '@types')],
      noEmit: true,
    });
    const messages = ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
      const line = file?.getLineAndCharacterOfPosition(start ?? 0).line ?? 0;
      return `${file?.fileName}:${line + 1}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
    });
    assert.deepEqual(messages, []);
  });

  it('runs', async () => {
    const server = await startProcess();
    try {
      const { stdout } = await promisify(execFile)(process.execPath, ['consumer.ts'], {
        cwd: folder,
        env: { ...process.env, KUBECONFIG: server.kubeconfig },
      });
      assert.equal(stdout, 'web wants 1 of x\ngone\n');
    } finally {
      await server.stop();
    }
  });
});

/** What the build makes of the client, where npm would put it. */
function install(modules: string): void {
  const target = join(modules, 'orch');
  const dist = join(target, 'dist');
  const config = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => readFileSync(path, 'utf8'));
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, ROOT);
  ts.createProgram([join(ROOT, 'src', 'client', 'index.ts')], {
    ...options,
    noEmit: false,
    noCheck: true,
    declaration: true,
    rewriteRelativeImportExtensions: true,
    rootDir: join(ROOT, 'src'),
    outDir: dist,
    types: ['node'],
  }).emit();
  mkdirSync(join(dist, 'client'), { recursive: true });
  cpSync(join(ROOT, 'dist', 'client', 'types.d.ts'), join(dist, 'client', 'types.d.ts'));
  symlinkSync(join(ROOT, 'dist', 'schemas'), join(dist, 'schemas'));
  cpSync(join(ROOT, 'package.json'), join(target, 'package.json'));
  symlinkSync(join(ROOT, 'node_modules', 'yaml'), join(modules, 'yaml'));
}
