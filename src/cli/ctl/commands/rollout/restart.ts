import { qualifiedResource } from '../../api/resource.ts';
import { defineCommand } from '../../command.ts';
import { CtlError } from '../../errors.ts';
import { pathOf } from '../../objects/choose.ts';
import { eachObject } from '../../objects/each.ts';
import { OUTPUT_FLAGS } from '../../print/output-flags.ts';
import { chooseWorkloads, sayNoneFound, WORKLOAD_FLAGS } from '../../rollout/choose-workloads.ts';
import { isRolloutKind } from '../../rollout/kinds.ts';
import { localTime } from '../../rollout/local-time.ts';
import { annotationsOf } from '../../rollout/revision.ts';
import type { Workload } from '../../rollout/workload.ts';
import { Report } from '../../write/report.ts';

export const restart = defineCommand({
  usage: '(TYPE NAME | TYPE/NAME | TYPE -l LABEL | -f FILENAME)',
  description: 'Have all pods replaced, in the way the workload rolls out.',
  examples: `
    orchctl rollout restart deployment/web
    orchctl rollout restart daemonsets -l app=agent`,
  arguments: 'resources',
  flags: {
    ...WORKLOAD_FLAGS,
    ...OUTPUT_FLAGS,
    'field-manager': { type: 'text', default: 'orchctl-rollout', help: 'Who is to own the field.' },
  },
  async run({ context, flags, args }) {
    const report = await Report.open(context, { ...flags, 'dry-run': 'none' });
    const chosen = await chooseWorkloads(context, flags, args);
    if (chosen.objects.length === 0 && chosen.errors.length === 0) return sayNoneFound(context);
    const api = await context.api();
    const key = (await context.names()).get('annotation.restarted-at');
    await eachObject(context, chosen, async (object) => {
      const path = pathOf(object);
      const { spec } = await api.json<Workload>({ path });
      const what = `${qualifiedResource(object.resource)} ${JSON.stringify(object.name)}`;
      if (!isRolloutKind(object.resource)) throw new CtlError(`${what} restarting is not supported`);
      if (spec.paused === true) {
        throw new CtlError(`${what} can't restart paused deployment (run rollout resume first)`);
      }
      const now = localTime(new Date());
      if (annotationsOf(spec.template?.metadata ?? {})[key] === now) {
        throw new CtlError(
          `failed to create patch for ${object.name}: if restart has already been triggered within the past second, please wait before attempting to trigger another`,
        );
      }
      const answer = await api.json({
        method: 'PATCH',
        path,
        query: { fieldManager: flags['field-manager'] },
        contentType: 'application/strategic-merge-patch+json',
        body: { spec: { template: { metadata: { annotations: { [key]: now } } } } },
      });
      await report.done(answer, 'restarted');
    });
  },
});
