import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLostRace, troubles } from './klog-lines.ts';
import type { Plane } from './plane.ts';

/** Programs whose logs are compared. */
export const COMPARED = ['kube-controller-manager', 'kube-scheduler'] as const;

export type Compared = (typeof COMPARED)[number];

/** What a program complained of. */
export interface Complaints {
  /** Once each, in order. */
  readonly lines: readonly string[];
  /** How often it came too late; see {@link isLostRace}. These aren't among the lines. */
  readonly lostRaces: number;
}

const FILE = join(import.meta.dirname, '../../fixtures/go-controller-log-lines.json');

/** The controller manager throws dice for how often its informers resync; what it says of the result is about no server. */
const OF_ITS_OWN = /^W shared_informer\.go resyncPeriod N is smaller than resyncCheckPeriod N /;

/** What a program of a plane has complained of so far. */
export function complaintsOf({ programs }: Plane, name: Compared): Complaints {
  const log = programs.find((program) => program.name === name)?.log() ?? '';
  const found = [...troubles(log)].filter(([line]) => !OF_ITS_OWN.test(line));
  return {
    lines: found.flatMap(([line]) => (isLostRace(line) ? [] : [line])).sort(),
    lostRaces: found.reduce((sum, [line, count]) => sum + (isLostRace(line) ? count : 0), 0),
  };
}

/** What each program complained of with the Go API server when that was recorded. */
export function knownLines(name: Compared): readonly string[] {
  return read()[name];
}

/** Adds what the programs of a plane on the Go API server have complained of. */
export function recordLines(plane: Plane): void {
  const known = read();
  const all = COMPARED.map((name) => {
    const lines = new Set([...known[name], ...complaintsOf(plane, name).lines]);
    return [name, [...lines].sort()];
  });
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(all), undefined, 2)}\n`);
}

function read(): Record<Compared, readonly string[]> {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Record<Compared, readonly string[]>;
}
