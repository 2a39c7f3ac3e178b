import type { JsonObject } from '../../../meta/object.ts';
import type { CommandContext } from '../context.ts';
import { CtlError, SeveralErrors, throwCollected } from '../errors.ts';
import { listOf } from '../print/clean.ts';
import { choosePrinter, type OutputChoice } from '../print/output-flags.ts';
import { writeQuery, type DryRun, type ManifestChoice, type WriteChoice } from '../write/flags.ts';
import { loadManifests } from '../write/load-manifests.ts';
import { Report } from '../write/report.ts';
import { ApplyRun } from './apply-run.ts';
import { ApplySet } from './apply-set.ts';
import { ApplyConflict, CONFLICT_ADVICE } from './conflict.ts';
import { pruneMembers } from './prune.ts';

export interface ApplyChoice extends ManifestChoice, WriteChoice, OutputChoice {
  readonly 'server-side': boolean;
  readonly 'force-conflicts': boolean;
  readonly 'field-manager': string;
  readonly prune: boolean;
  readonly applyset: string | undefined;
  readonly cascade: string;
  readonly subresource: string | undefined;
}

/** Applies what the flags name. @throws errors of what can't be applied, after all else was. */
export async function runApply(
  context: CommandContext,
  choice: ApplyChoice,
  given: ReadonlySet<string>,
): Promise<void> {
  checkChoice(choice, given);
  const dryRun = choice['dry-run'] as DryRun;
  const printer = await choosePrinter(choice, { cwd: context.cwd });
  const report = new Report(context, printer, dryRun);
  // Several objects in a form such as JSON are one List: that is told at the end.
  const atOnce = printer === undefined || choice.output === 'name';
  const { manifests, errors } = await loadManifests(context, choice);
  if (manifests.length === 0 && errors.length === 0) throw new CtlError('no objects passed to apply');
  const set = await openSet(context, choice);
  const query = writeQuery(choice, choice['field-manager']);
  for (const { object } of manifests) set?.label(object);
  const run = new ApplyRun({
    context,
    api: await context.api(),
    mapper: await context.resources(),
    namespace: await context.namespace(),
    apply: { query, force: choice['force-conflicts'], subresource: choice.subresource },
    sendsNothing: dryRun === 'client',
    lineOf: (object) => (atOnce ? (printer?.print(object) ?? report.line(object, 'serverside-applied')) : ''),
    begin: async (targets) => set?.begin(targets),
  });
  await run.run(manifests);
  const applied = run.applied.map(({ object }) => object);
  if (!atOnce && applied.length > 0)
    await context.stdout.write(
      printer.print(applied.length === 1 ? (applied[0] as JsonObject) : listOf(applied)),
    );
  if (set !== undefined && errors.length + run.errors.length === 0)
    await prune(context, set, { choice, applied, report });
  fail([...errors, ...run.errors]);
}

/** The advice on conflicts is the same for all of them. */
function fail(errors: readonly unknown[]): void {
  const conflict = errors.find((error) => error instanceof ApplyConflict);
  if (conflict === undefined) return throwCollected(errors);
  const { message } = conflict;
  if (errors.length === 1) throw new CtlError(message, { hint: CONFLICT_ADVICE, cause: conflict });
  throw new SeveralErrors([...errors, new CtlError(CONFLICT_ADVICE)]);
}

function checkChoice(choice: ApplyChoice, given: ReadonlySet<string>): void {
  if (!choice['server-side'])
    throw new CtlError('--server-side=false is not supported: orchctl applies on the server only', {
      hint: 'kubectl apply --server-side=false merges on the client.',
    });
  if (given.has('server-side') && choice['dry-run'] === 'client')
    throw new CtlError(
      "--dry-run=client doesn't work with --server-side (did you mean --dry-run=server instead?)",
    );
  if (choice.prune && (choice.applyset ?? '') === '')
    throw new CtlError('--prune needs --applyset=NAME, so that only what was applied before is deleted', {
      hint: 'The set is kept by a secret of that name, or by another object as RESOURCE/NAME.',
    });
  if (!choice.prune && choice.applyset !== undefined) throw new CtlError('--applyset requires --prune');
  if (choice.prune && (choice.selector ?? '') !== '')
    throw new CtlError('--selector is incompatible with --applyset');
}

async function openSet(context: CommandContext, choice: ApplyChoice): Promise<ApplySet | undefined> {
  if (!choice.prune || choice.applyset === undefined) return undefined;
  const { name, explicit } = await context.namespace();
  const { readVersion } = await import('../../../app/version.ts');
  return new ApplySet({
    api: await context.api(),
    mapper: await context.resources(),
    parent: choice.applyset,
    namespace: explicit ? name : undefined,
    version: `v${readVersion(context.env).version}`,
    query: writeQuery(choice, choice['field-manager']),
    sendsNothing: choice['dry-run'] === 'client',
  });
}

const PROPAGATION: Readonly<Record<string, string>> = {
  background: 'Background',
  foreground: 'Foreground',
  orphan: 'Orphan',
};

interface Pruning {
  readonly choice: ApplyChoice;
  readonly applied: readonly JsonObject[];
  readonly report: Report;
}

async function prune(
  context: CommandContext,
  set: ApplySet,
  { choice, applied, report }: Pruning,
): Promise<void> {
  const kept = new Set(applied.map(({ metadata }) => (metadata as { uid?: string }).uid ?? ''));
  const dryRun = choice['dry-run'] as DryRun;
  const propagation = PROPAGATION[choice.cascade] ?? 'Background';
  for await (const object of pruneMembers(set, { api: await context.api(), kept, dryRun, propagation }))
    await report.done(object, 'pruned');
  await set.end();
}
