import { objectName } from '../../api/resource.ts';
import { defineCommand } from '../../command.ts';
import { CtlError } from '../../errors.ts';
import { eachObject } from '../../objects/each.ts';
import { choosePrinter, OUTPUT_FLAGS } from '../../print/output-flags.ts';
import { chooseWorkloads, WORKLOAD_FLAGS } from '../../rollout/choose-workloads.ts';
import { describeTemplate, inOrder, listRevisions } from '../../rollout/describe-revisions.ts';
import { readWorkload } from '../../rollout/read-workload.ts';

export const history = defineCommand({
  usage: '(TYPE NAME | TYPE/NAME | -f FILENAME) [--revision=N]',
  description: 'Show the revisions of a workload that can be gone back to.',
  examples: `
    orchctl rollout history deployment/web
    # What it was like
    orchctl rollout history daemonset/agent --revision=3`,
  arguments: 'resources',
  flags: {
    ...WORKLOAD_FLAGS,
    ...OUTPUT_FLAGS,
    revision: { type: 'number', default: 0, help: 'Show the pod template of a revision.' },
  },
  async run({ context, flags, args }) {
    const { revision } = flags;
    if (revision < 0) throw new CtlError(`revision must be a positive integer: ${revision}`);
    const printer = await choosePrinter(flags, { cwd: context.cwd });
    const chosen = await chooseWorkloads(context, flags, args);
    await eachObject(context, chosen, async (object) => {
      const { workload, revisions } = await readWorkload(context, object, 'history viewer');
      const one = revisions.get(revision);
      if (revision > 0 && one === undefined) {
        throw new CtlError('unable to find the specified revision', {
          hint: `It has the revisions ${[...revisions.keys()].sort((a, b) => a - b).join(', ')}.`,
        });
      }
      if (printer !== undefined) {
        const shown = one === undefined ? inOrder(revisions) : [one];
        for (const { object: past } of shown) await context.stdout.write(printer.print(past));
        return;
      }
      const text =
        one === undefined
          ? `\n${listRevisions(inOrder(revisions))}`
          : `with revision #${revision}\n${await describeTemplate(context, one)}`;
      await context.stdout.write(`${objectName(workload)} ${text}\n`);
    });
  },
});
