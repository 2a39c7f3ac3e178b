import { setTimeout as delay } from 'node:timers/promises';
import { runCycle } from './cycle.ts';
import type { Plane } from './plane.ts';

export interface Pace {
  /** No cycle begins after so long. */
  readonly totalMs: number;
  /** From the beginning of a cycle to that of the next, unless it takes longer itself. */
  readonly cycleMs: number;
}

export interface Cycle {
  /** What its steps saw. */
  readonly seen: readonly string[];
  readonly seconds: number;
  /** Resident memory of the API server after it, in MiB. */
  readonly memory: number;
}

/**
 * Repeats the scenario on a plane.
 *
 * @param told of each cycle that is over
 * @throws Error when a step fails, or a program ends by itself
 */
export async function runFor(plane: Plane, pace: Pace, told: (cycle: Cycle) => void): Promise<Cycle[]> {
  const begin = performance.now();
  const failed = Promise.race(plane.programs.map(({ ended }) => ended));
  const cycles: Cycle[] = [];
  for (let start = begin; start - begin < pace.totalMs; start = performance.now()) {
    const seen = await Promise.race([runCycle(plane.cluster, `cycle-${cycles.length + 1}`), failed]);
    const tookMs = performance.now() - start;
    const cycle = { seen, seconds: Math.round(tookMs / 1000), memory: plane.memory() };
    cycles.push(cycle);
    told(cycle);
    await delay(Math.max(0, pace.cycleMs - tookMs));
  }
  return cycles;
}
