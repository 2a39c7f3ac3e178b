/**
 * `make bench`: measures this control plane on the embedded store and on etcd and, where a kube-apiserver of release
 * 1.32 is found, that one on an etcd of its own, in one run. Prints a table of figures and ratios. Absolute figures
 * belong to the machine; the ratios are what counts.
 *
 *     node bench/compare/compare.ts [--pods N] [--writes N] [--watchers N] [--lists N] [--rounds N] [--only embedded,etcd,reference]
 *
 * Each may be given by the environment too, for `make bench`: BENCH_PODS=100000 make bench.
 */
import { parseArgs } from 'node:util';
import type { Settings } from './figures.ts';
import { measure } from './measure.ts';
import { CREATOR } from './pod-creation.ts';
import { peer, subjects } from './subjects.ts';
import { table } from './table.ts';

/** A flag, or else a variable of the environment, or else the default. */
function option(name: string, fallback: string): { type: 'string'; default: string } {
  return { type: 'string', default: process.env[`BENCH_${name}`] ?? fallback };
}

const { values } = parseArgs({
  options: {
    pods: option('PODS', '10000'),
    writes: option('WRITES', '5000'),
    watchers: option('WATCHERS', '100'),
    lists: option('LISTS', '32'),
    rounds: option('ROUNDS', '2'),
    only: option('ONLY', 'reference,embedded,etcd'),
  },
});

const loadgen = peer('loadgen');
if (loadgen === undefined) process.exit(1);
const settings: Settings = {
  loadgen,
  pods: Number(values.pods),
  writes: Number(values.writes),
  watchers: Number(values.watchers),
  lists: Number(values.lists),
  rounds: Number(values.rounds),
};
console.log(
  table(
    await measure(subjects(values.only.split(','), { tokens: `${CREATOR},${CREATOR},,team\n` }), settings),
  ),
);
