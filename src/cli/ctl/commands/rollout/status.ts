import { defineCommand } from '../../command.ts';
import type { CommandContext } from '../../context.ts';
import { CtlError } from '../../errors.ts';
import { pathOf, type ChosenObject } from '../../objects/choose.ts';
import { eachObject } from '../../objects/each.ts';
import { until } from '../../objects/until.ts';
import { chooseWorkloads, sayNoneFound, WORKLOAD_FLAGS } from '../../rollout/choose-workloads.ts';
import { rolloutKind } from '../../rollout/kinds.ts';
import type { Workload } from '../../rollout/workload.ts';

export const status = defineCommand({
  usage: '(TYPE NAME | TYPE/NAME | -f FILENAME) [--watch=false] [--timeout=DURATION]',
  description:
    'Show how far a rollout is, and follow it until it is done. The exit code is 1 when it failed or the time was up.',
  examples: `
    orchctl rollout status deployment/web --timeout=2m
    # Fail when a newer revision takes over
    orchctl rollout status deployment/web --revision=3`,
  arguments: 'resources',
  flags: {
    ...WORKLOAD_FLAGS,
    watch: { type: 'switch', short: 'w', default: true, help: 'Follow it until it is done.' },
    revision: { type: 'number', default: 0, help: 'The revision that must be rolling out; 0 for any.' },
    timeout: { type: 'duration', default: 0, help: 'How long to follow each; 0 is without end.' },
  },
  async run({ context, flags, args }) {
    const { revision, timeout, watch } = flags;
    if (revision < 0) throw new CtlError(`revision must be a positive integer: ${revision}`);
    const chosen = await chooseWorkloads(context, flags, args);
    await eachObject(context, chosen, (object) => follow(context, object, { revision, timeout, watch }));
    if (chosen.objects.length === 0 && chosen.errors.length === 0) await sayNoneFound(context);
  },
});

interface Following {
  readonly revision: number;
  /** Milliseconds; 0 for no end. */
  readonly timeout: number;
  readonly watch: boolean;
}

async function follow(
  context: CommandContext,
  object: ChosenObject,
  { revision, timeout, watch }: Following,
): Promise<void> {
  const [api, names] = [await context.api(), await context.names()];
  // The server's own words for one that isn't there.
  await api.json({ path: pathOf(object) });
  const { status: statusOf } = rolloutKind(object.resource, 'status viewer');
  const limit = timeout > 0 ? AbortSignal.timeout(timeout) : undefined;
  const signal = limit === undefined ? context.signal : AbortSignal.any([limit, context.signal]);
  let told = '';
  try {
    await until(object, { api, signal }, async (found) => {
      if (found === undefined) throw new CtlError('object has been deleted');
      const workload = found as Workload;
      const version = workload.metadata.resourceVersion ?? '';
      if (version === told) return false;
      told = version;
      const { text, done } = statusOf(workload, { revision, names });
      await context.stdout.write(text);
      return done || !watch;
    });
  } catch (error) {
    if (limit?.aborted !== true || context.signal.aborted || error instanceof CtlError) throw error;
    throw new CtlError('timed out waiting for the condition', {
      hint: `The rollout goes on; orchctl get ${object.resource.resource} ${object.name} -o yaml shows its conditions.`,
    });
  }
}
