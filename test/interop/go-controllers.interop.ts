import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { optionalPeer, titled } from './chart-tools.ts';
import { COMPARED, complaintsOf, knownLines, recordLines } from './controllers/known-lines.ts';
import { runFor, type Cycle } from './controllers/pace.ts';
import { startPlane, type Plane } from './controllers/plane.ts';
import { startOurs, startTheirs } from './controllers/servers.ts';

/*
 * MINUTES=60   goes on for so long, 10 by default
 * PACE=120     seconds from the beginning of a cycle to that of the next, 60 by default
 * KEEP=dir     keeps the logs of all programs there, and cycles.tsv: server, cycle, seconds, memory of the server in MiB
 * RECORD=1     adds what the programs complain of with the Go API server to the fixture
 */
const { MINUTES = '10', PACE = '60', KEEP, RECORD } = process.env;
const pace = { totalMs: Number(MINUTES) * 60_000, cycleMs: Number(PACE) * 1_000 };

const programs = {
  'kube-apiserver': optionalPeer('kube-apiserver'),
  'kube-controller-manager': optionalPeer('kube-controller-manager'),
  'kube-scheduler': optionalPeer('kube-scheduler'),
  kubectl: optionalPeer('kubectl'),
  kwok: optionalPeer('kwok'),
};

/**
 * The same scenario over and over on two clusters side by side, one of them on the Go API server: what controllers bring about
 * must be the same, and with ours they must complain of nothing that they don't complain of there as well.
 */
describe(
  titled(`the Go controller manager and scheduler 1.32, for ${MINUTES} minutes`, programs),
  function () {
    this.timeout(pace.totalMs + 900_000);
    let directory: string;
    let ours: Plane | undefined;
    let theirs: Plane | undefined;
    let cycles: { ours: Cycle[]; theirs: Cycle[] };

    before(async function () {
      const peers = found(programs);
      if (peers === undefined) return this.skip();
      directory = KEEP ?? mkdtempSync(join(tmpdir(), 'orch-controllers-'));
      mkdirSync(directory, { recursive: true });
      ours = await startPlane({ name: 'ours', directory, peers, startServer: startOurs });
      theirs = await startPlane({ name: 'theirs', directory, peers, startServer: startTheirs });
      note(ours, 0);
      note(theirs, 0);
      const [a, b] = await Promise.all([ours, theirs].map((plane) => runFor(plane, pace, counting(plane))));
      cycles = { ours: a ?? [], theirs: b ?? [] };
      if (RECORD !== undefined) recordLines(theirs);
    });
    after(async () => {
      await ours?.stop();
      await theirs?.stop();
      if (KEEP === undefined) rmSync(directory, { recursive: true, force: true });
    });

    function note(plane: Plane, cycle: number, seconds = 0): void {
      appendFileSync(
        join(directory, 'cycles.tsv'),
        `${plane.name}\t${cycle}\t${seconds}\t${plane.memory()}\n`,
      );
    }
    function counting(plane: Plane): (cycle: Cycle) => void {
      let count = 0;
      return ({ seconds }) => note(plane, ++count, seconds);
    }

    it('see the same come of everything that the scenario does', () => {
      const seen = new Set(cycles.theirs.flatMap((cycle) => cycle.seen));
      for (const cycle of cycles.ours) {
        assert.deepEqual(
          cycle.seen.filter((line) => !seen.has(line)),
          [],
        );
        assert.equal(cycle.seen.length, cycles.theirs[0]?.seen.length);
      }
    });

    for (const name of COMPARED) {
      it(`have ${name} complain of nothing but what it complains of with the Go API server`, () => {
        assert.ok(ours !== undefined && theirs !== undefined);
        const here = complaintsOf(ours, name);
        const there = complaintsOf(theirs, name);
        const known = new Set([...knownLines(name), ...there.lines]);
        assert.deepEqual(
          here.lines.filter((line) => !known.has(line)),
          [],
        );
        assert.ok(
          here.lostRaces <= 10 * there.lostRaces + 100,
          `${here.lostRaces} writes came too late, ${there.lostRaces} there`,
        );
      });
    }
  },
);

/** The programs if none is missing. */
function found<Name extends string>(
  all: Readonly<Record<Name, string | undefined>>,
): Record<Name, string> | undefined {
  return Object.values(all).includes(undefined) ? undefined : (all as Record<Name, string>);
}
