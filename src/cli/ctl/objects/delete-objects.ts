import type { JsonObject } from '../../../meta/object.ts';
import { qualifiedKind, qualifiedResource } from '../api/resource.ts';
import type { CommandContext } from '../context.ts';
import { CtlError, isNotFound } from '../errors.ts';
import { chooseObjects, pathOf, type ChosenObject, type ObjectChoice } from './choose.ts';
import { eachObject } from './each.ts';
import { until } from './until.ts';

export interface DeleteChoice extends ObjectChoice {
  readonly 'dry-run': string;
  readonly cascade: string;
  readonly force: boolean;
  readonly 'grace-period': number;
  readonly now: boolean;
  readonly 'ignore-not-found': boolean;
  readonly output: string | undefined;
  readonly timeout: number;
  readonly wait: boolean;
}

const PROPAGATION: Readonly<Record<string, string>> = {
  true: 'Background',
  background: 'Background',
  foreground: 'Foreground',
  orphan: 'Orphan',
  false: 'Orphan',
};
const SUFFIXES: Readonly<Record<string, string>> = { client: ' (dry run)', server: ' (server dry run)' };
/** A week: as long as kubectl waits without `--timeout`. */
const LONGEST_MS = 7 * 24 * 3_600_000;

/** Deletes objects, tells of each, and waits until they are gone. */
export async function deleteObjects(
  context: CommandContext,
  choice: DeleteChoice,
  args: readonly string[],
): Promise<void> {
  const grace = await graceOf(context, choice);
  const chosen = await chooseObjects(context, choice, args);
  const api = await context.api();
  const dryRun = choice['dry-run'];
  const body: JsonObject = {
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    propagationPolicy: PROPAGATION[choice.cascade] ?? 'Background',
    ...(grace < 0 ? {} : { gracePeriodSeconds: grace }),
  };
  const going: (ChosenObject & { readonly uid: string | undefined })[] = [];
  await eachObject(context, chosen, async (object) => {
    try {
      const query = { dryRun: dryRun === 'server' ? 'All' : undefined };
      const answer =
        dryRun === 'client'
          ? await api.json({ path: pathOf(object) })
          : await api.json({ method: 'DELETE', path: pathOf(object), query, body });
      going.push({ ...object, uid: uidOf(answer) });
    } catch (error) {
      if ((choice['ignore-not-found'] || choice.all) && isNotFound(error)) return;
      throw error;
    }
    const operation = `${grace === 0 ? 'force deleted' : 'deleted'}${SUFFIXES[dryRun] ?? ''}`;
    const kind = qualifiedKind(object.resource);
    await context.stdout.write(
      choice.output === 'name' ? `${kind}/${object.name}\n` : `${kind} "${object.name}" ${operation}\n`,
    );
  });
  if (chosen.objects.length === 0) await context.stdout.write('No resources found\n');
  if (choice.wait && dryRun === 'none') await waitUntilGone(context, going, choice.timeout);
}

/** Seconds; below 0 the objects' own. */
async function graceOf({ stderr }: CommandContext, choice: DeleteChoice): Promise<number> {
  const { force, now, 'grace-period': given } = choice;
  if (now && given !== -1) throw new CtlError('--now and --grace-period cannot be specified together');
  if (force && given > 0)
    throw new CtlError('--force and --grace-period greater than 0 cannot be specified together');
  if (force && given <= 0 && !now) {
    await stderr.write(
      'Warning: Immediate deletion does not wait for confirmation that the running resource has been terminated. The resource may continue to run on the cluster indefinitely.\n',
    );
    return 0;
  }
  // Without --force nothing is deleted before it has stopped.
  return now || given === 0 ? 1 : given;
}

/** Of what was deleted: the server answers with the object while it is going, else with a Status that names it. */
function uidOf(answer: JsonObject): string | undefined {
  const { metadata, details } = answer as { metadata?: { uid?: string }; details?: { uid?: string } };
  return metadata?.uid ?? details?.uid;
}

async function waitUntilGone(
  context: CommandContext,
  going: readonly (ChosenObject & { readonly uid: string | undefined })[],
  timeout: number,
): Promise<void> {
  const limit = AbortSignal.timeout(timeout > 0 ? timeout : LONGEST_MS);
  const signal = AbortSignal.any([limit, context.signal]);
  const api = await context.api();
  for (const object of going) {
    if (!object.resource.verbs.includes('watch')) continue;
    try {
      await until(object, { api, signal }, (found) => found === undefined || uidOf(found) !== object.uid);
    } catch (error) {
      if (!limit.aborted) throw error;
      throw new CtlError(
        `timed out waiting for the condition on ${qualifiedResource(object.resource)}/${object.name}`,
        { hint: 'It has been told to go. Does it have finalizers? orchctl get -o yaml shows them.' },
      );
    }
  }
}
