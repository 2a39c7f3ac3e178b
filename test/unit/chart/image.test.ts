import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readImage } from '../../support/image.ts';

const ROOT = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

describe('the Dockerfile', () => {
  const image = readImage();

  it('has the Node and the settings that the project runs with elsewhere', () => {
    const version = /^version=(.*)$/m.exec(read('hack/with-node'))?.[1];
    assert.equal(image.args.get('NODE_VERSION'), version);
    const program = read('hack/orchd');
    for (const [, name = '', value] of program.matchAll(/export (\w+)=\$\{\w+:-(\d+)\}/g)) {
      assert.equal(image.env[name], value, name);
    }
    const options = /node" (--.*?) "\$root/.exec(program)?.[1]?.split(' ') ?? [];
    assert.deepEqual(image.entrypoint.slice(1, -1), options);
  });

  it("is of the package's version", () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    assert.equal(image.args.get('VERSION'), version);
  });

  it('copies what there is, and what the build context has', () => {
    const context = read('.dockerignore')
      .split('\n')
      .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []));
    for (const path of image.copied) {
      assert.ok(existsSync(join(ROOT, path)), path);
      assert.ok(context.includes(path), `${path} is not in the build context`);
    }
    assert.deepEqual(new Set(image.copied), new Set(context));
  });

  it('runs as the user that the chart has, and starts the server', () => {
    assert.equal(image.user, '65532:65532');
    assert.equal(image.entrypoint[0], 'node');
    const { bin } = JSON.parse(read('package.json')) as { bin: Record<string, string> };
    assert.equal(image.entrypoint.at(-1), `/app/${bin['orchd']}`);
  });
});
