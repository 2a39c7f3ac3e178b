/**
 * Only the row of `make bench` about pods that an ordinary user creates, with all plugins that are on by default:
 *
 *     node bench/compare/pods.ts [--requests N] [--rounds N] [--only embedded,etcd,reference]
 *
 * `make build` comes first.
 */
import { parseArgs } from 'node:util';
import { CREATOR, podCreation, preparePods } from './pod-creation.ts';
import { sideBySide } from './side-by-side.ts';
import { subjects } from './subjects.ts';
import { table } from './table.ts';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '10' },
    only: { type: 'string', default: 'reference,embedded,etcd' },
  },
});
const clients = { tokens: `${CREATOR},${CREATOR},,team\n` };
const columns = await sideBySide(subjects(values.only.split(','), clients), async (step) => {
  await step(preparePods);
  for (let round = 0; round < Number(values.rounds); round++)
    await step(podCreation(Number(values.requests)));
});
console.log(table(columns));
