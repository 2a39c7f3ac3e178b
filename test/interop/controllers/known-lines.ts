import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { troubles } from './klog-lines.ts';
import type { Plane } from './plane.ts';

/** What each program has ever complained of with the Go API server. */
export type KnownLines = Readonly<Record<string, readonly string[]>>;

const FILE = join(import.meta.dirname, '../../fixtures/go-controller-log-lines.json');

/** Programs whose logs are compared. */
export const COMPARED = ['kube-controller-manager', 'kube-scheduler'] as const;

export function readKnownLines(): KnownLines {
  return JSON.parse(readFileSync(FILE, 'utf8')) as KnownLines;
}

/** What the programs of a plane complain of. */
export function linesOf(plane: Plane): KnownLines {
  return Object.fromEntries(
    COMPARED.map((name) => {
      const log = plane.programs.find((program) => program.name === name)?.log() ?? '';
      return [name, [...troubles(log)].sort()];
    }),
  );
}

/** Adds what they complained of with the Go API server this time. */
export function recordLines(seen: KnownLines): void {
  const known = readKnownLines();
  const all = COMPARED.map((name) => [
    name,
    [...new Set([...(known[name] ?? []), ...(seen[name] ?? [])])].sort(),
  ]);
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(all), undefined, 2)}\n`);
}
