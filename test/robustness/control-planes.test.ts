import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { startControlPlane, type TestControlPlane } from '../../src/testing/index.ts';
import { connect, create, listValues } from '../support/testing-client.ts';

/** How many are started and stopped one after the other, beside those that load what all share; `make soak` wants 1,000. */
const IN_A_ROW = Number(process.env['SOAK_CONTROL_PLANES'] ?? 20);
const WARM_UP = 10;
const AT_ONCE = 50;
/** What is compiled and cached meanwhile, and far less for each than one holds that isn't let go of. */
const ALLOWED_BYTES = 8e6 + IN_A_ROW * 4_000;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('control planes in one process', function () {
  this.timeout(120_000 + IN_A_ROW * 3_000);
  const place = process.env['TMPDIR'];
  let folder: string;
  before(function () {
    if (!existsSync('/proc/self/fd')) this.skip();
    folder = mkdtempSync(join(tmpdir(), 'orch-many-'));
    process.env['TMPDIR'] = folder;
  });
  after(() => {
    if (place === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = place;
    rmSync(folder, { recursive: true, force: true });
  });

  it(`${AT_ONCE} at once work, each by itself, and leave nothing`, async () => {
    const others = leftIn(folder).ports;
    await manyAtOnce(() => assert.equal(leftIn(folder).ports - others, AT_ONCE));
    assert.deepEqual(leftIn(folder), { ...NOTHING, ports: others });
  });

  it(`${IN_A_ROW} one after the other leave nothing, and need no more memory`, async () => {
    await oneAfterTheOther(WARM_UP);
    const others = leftIn(folder).ports;
    const bytes = await bytesInUse();
    await oneAfterTheOther(IN_A_ROW);
    assert.deepEqual(leftIn(folder), { ...NOTHING, ports: others });
    const grown = (await bytesInUse()) - bytes;
    assert.ok(grown < ALLOWED_BYTES, `${grown} bytes more`);
  });
});

async function manyAtOnce(look: () => void): Promise<void> {
  const planes = await Promise.all(Array.from({ length: AT_ONCE }, () => startControlPlane()));
  look();
  await Promise.all(planes.map((plane, i) => use(plane, `own-${i}`)));
  await Promise.all(planes.map((plane) => plane.stop()));
}

async function oneAfterTheOther(count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const plane = await startControlPlane();
    const snapshot = await plane.snapshot();
    await use(plane, 'own');
    await plane.restore(snapshot);
    const fork = await plane.fork();
    await use(fork, 'forked');
    await Promise.all([plane.stop(), fork.stop()]);
  }
}

async function use(plane: TestControlPlane, name: string): Promise<void> {
  const { core } = connect(plane);
  await create(core, name, 'x');
  assert.deepEqual(await listValues(core), { [name]: 'x' });
}

interface Left {
  readonly ports: number;
  readonly files: number;
  readonly folders: number;
}

const NOTHING: Left = { ports: 0, files: 0, folders: 0 };

/** What is open of, or in, a folder for temporary things. */
function leftIn(folder: string): Left {
  return {
    ports: process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap').length,
    files: readdirSync('/proc/self/fd').filter((descriptor) => pointsInto(folder, descriptor)).length,
    folders: readdirSync(folder).length,
  };
}

function pointsInto(folder: string, descriptor: string): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`).startsWith(folder);
  } catch {
    return false; // that by which the list itself was read
  }
}

async function bytesInUse(): Promise<number> {
  // What is let go of in one turn, with native memory behind it, is freed in a later one.
  for (let i = 0; i < 3; i++) {
    collectGarbage();
    await nextTurn();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
