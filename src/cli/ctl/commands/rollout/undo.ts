import { defineCommand } from '../../command.ts';
import { pathOf } from '../../objects/choose.ts';
import { eachObject } from '../../objects/each.ts';
import { DRY_RUN_FLAG } from '../../objects/flags.ts';
import { CtlError } from '../../errors.ts';
import { OUTPUT_FLAGS } from '../../print/output-flags.ts';
import { chooseWorkloads, WORKLOAD_FLAGS } from '../../rollout/choose-workloads.ts';
import { describeTemplate } from '../../rollout/describe-revisions.ts';
import { readWorkload } from '../../rollout/read-workload.ts';
import { revisionToRestore } from '../../rollout/restore.ts';
import { Report } from '../../write/report.ts';

export const undo = defineCommand({
  usage: '(TYPE NAME | TYPE/NAME | -f FILENAME) [--to-revision=N]',
  description: 'Bring a workload back to what it was before its last rollout, or at a revision.',
  examples: `
    orchctl rollout undo deployment/web
    orchctl rollout undo daemonset/agent --to-revision=3
    # Would it be accepted?
    orchctl rollout undo deployment/web --dry-run=server`,
  arguments: 'resources',
  flags: {
    ...WORKLOAD_FLAGS,
    ...DRY_RUN_FLAG,
    ...OUTPUT_FLAGS,
    'to-revision': { type: 'number', default: 0, help: 'The revision; 0 is the one before the last.' },
    'field-manager': { type: 'text', default: 'orchctl-rollout', help: 'Who is to own the fields.' },
  },
  async run({ context, flags, args }) {
    const to = flags['to-revision'];
    const dryRun = flags['dry-run'];
    if (to < 0) throw new CtlError(`unable to find specified revision ${to} in history`);
    const report = await Report.open(context, flags);
    const chosen = await chooseWorkloads(context, flags, args);
    const [api, names] = [await context.api(), await context.names()];
    await eachObject(context, chosen, async (object) => {
      const { workload, revisions, kind } = await readWorkload(context, object, 'rollbacker');
      const revision = revisionToRestore(revisions, to, kind.noHistory(object.name));
      if (dryRun === 'client')
        return report.done(workload, `${kind.dryRunPrefix}${await describeTemplate(context, revision)}`);
      const patch = kind.restore(workload, revision, names);
      if (patch === undefined) {
        return report.done(workload, `skipped rollback (current template already matches revision ${to})`);
      }
      await api.json({
        ...patch,
        method: 'PATCH',
        path: pathOf(object),
        query: {
          dryRun: dryRun === 'server' ? 'All' : undefined,
          fieldManager: flags['field-manager'],
        },
      });
      return report.done(workload, 'rolled back');
    });
  },
});
