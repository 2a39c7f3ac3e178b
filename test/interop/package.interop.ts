import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readVersion } from '../../src/app/version.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const CONSUMER = join(import.meta.dirname, 'package', 'consumer.ts.txt');
const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  devDependencies: Record<string, string>;
};
/** What a project in TypeScript has, in the versions that we have. */
const TOOLS = ['typescript', '@types/node'].map((name) => `${name}@${devDependencies[name]}`);

/** A project that installs what `npm pack` makes of this checkout, with npm, from its cache where that has everything. */
describe('the package, packed and installed', function () {
  this.timeout(300_000);
  let folder: string;
  let packed: readonly string[];

  before(function () {
    folder = mkdtempSync(join(tmpdir(), 'orch-package-'));
    // What is built is packed as it is: other tests run from it.
    const pack = ['pack', ROOT, '--ignore-scripts', '--json', '--pack-destination', folder];
    const [report] = JSON.parse(run('npm', pack)) as [{ filename: string; files: { path: string }[] }];
    packed = report.files.map(({ path }) => path);
    writeFileSync(join(folder, 'package.json'), '{"type":"module","private":true}');
    cpSync(CONSUMER, join(folder, 'consumer.ts'));
    const quiet = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    run('npm', ['install', ...quiet, `./${report.filename}`, ...TOOLS]);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs a program in the project. @returns what it printed. @throws AssertionError with all of it, if it failed. */
  function run(program: string, args: readonly string[]): string {
    const env = { ...process.env, HOME: folder, npm_config_cache: cacheOfNpm() };
    const options = { cwd: folder, env, encoding: 'utf8', timeout: 240_000 } as const;
    const { status, stdout, stderr, error } = spawnSync(program, args, options);
    assert.equal(error, undefined);
    assert.equal(status, 0, stdout + stderr);
    return stdout;
  }

  function bin(program: string, ...args: string[]): string {
    return run(join(folder, 'node_modules', '.bin', program), args);
  }

  it('has what is run and what is read, and nothing else', () => {
    const others = packed.filter((path) => !/^dist\/.*\.(js|d\.ts|json)$/.test(path));
    assert.deepEqual(others.sort(), ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json']);
    assert.ok(!packed.some((path) => /(^|\/)(test|fixture)s?\/|\.(test|spec)\./.test(path)));
  });

  for (const { module, moduleResolution } of [
    { module: 'nodenext', moduleResolution: 'nodenext' },
    { module: 'esnext', moduleResolution: 'bundler' },
  ]) {
    it(`has types for strict projects that resolve modules as ${moduleResolution}`, () => {
      const compilerOptions = {
        ...{ module, moduleResolution, target: 'es2024', lib: ['es2024', 'esnext.disposable'] },
        ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true },
        ...{ skipLibCheck: false, types: ['node'], outDir: moduleResolution },
      };
      const project = `tsconfig.${moduleResolution}.json`;
      writeFileSync(join(folder, project), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }));
      bin('tsc', '-p', project);
      assert.equal(run(process.execPath, [`${moduleResolution}/consumer.js`]), 'default/a 1 v1.32\ngone\n');
    });
  }

  it('has programs, which say their versions', () => {
    const { gitVersion } = readVersion({});
    assert.equal(bin('orchd', '--version'), `orchd ${gitVersion}\n`);
    assert.ok(bin('orchctl', 'version', '--client').includes(gitVersion));
    assert.match(bin('orchd', '--help'), /--data-dir/);
  });
});

/** That of the user, whose home the programs don't get. */
function cacheOfNpm(): string {
  return spawnSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).stdout.trim();
}
