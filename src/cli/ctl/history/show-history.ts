import { sameJson } from '../../../meta/same-json.ts';
import type { ApiObject, JsonObject, ManagedFieldsEntry } from '../../../meta/object.ts';
import { objectName, resourcePath } from '../api/resource.ts';
import { formatSince } from '../apply/conflict.ts';
import type { CommandContext } from '../context.ts';
import { CtlError, isNotFound } from '../errors.ts';
import { listOf, withoutManagedFields } from '../print/clean.ts';
import { choosePrinter, type OutputChoice } from '../print/output-flags.ts';
import { fieldChanges } from './field-changes.ts';
import { oneTarget } from './one-target.ts';
import { objectAt, parseRevision, versionsBefore, type End, type Versions } from './versions.ts';

export interface HistoryChoice extends OutputChoice {
  readonly at: string | undefined;
  readonly limit: number;
  readonly diff: boolean;
}

/** Shows the versions of an object that the store still has, or the one of a revision. */
export async function showHistory(
  context: CommandContext,
  choice: HistoryChoice,
  args: readonly string[],
): Promise<void> {
  const { target, rest } = await oneTarget(context, args, 'history');
  if (rest.length > 0) throw new CtlError(`one object at a time: ${rest.join(' ')}`);
  const { resource, name, namespace } = target;
  const path = resourcePath({ resource, name, namespace });
  if (choice.at !== undefined) return showVersion(context, choice, path);
  const api = await context.api();
  let newest: ApiObject;
  try {
    newest = await api.json<ApiObject>({ path });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new CtlError(`${error.message}; its versions can't be listed any more`, {
      hint: `orchctl history ${resource.resource}/${name} --at REVISION shows what it was like, orchctl undo --to REVISION brings it back.`,
      cause: error,
    });
  }
  const versions = await versionsBefore(api, path, newest, choice.limit > 0 ? choice.limit : Infinity);
  const printer = await choosePrinter(choice, { cwd: context.cwd });
  if (printer !== undefined) return context.stdout.write(printer.print(listOf(versions.objects)));
  await (choice.diff ? showDiffs(context, choice, versions) : showChanges(context, versions));
}

async function showVersion(context: CommandContext, choice: HistoryChoice, path: string): Promise<void> {
  const revision = parseRevision(choice.at ?? '', '--at');
  const object = await objectAt(await context.api(), path, revision);
  if (object === undefined) throw new CtlError(`there was no such object at revision ${revision}`);
  const printer = await choosePrinter({ ...choice, output: choice.output ?? 'yaml' }, { cwd: context.cwd });
  await context.stdout.write(printer?.print(object) ?? '');
}

const ENDS: Readonly<Record<End, (oldest: string) => string>> = {
  created: (oldest) => `revision ${oldest} is the first.`,
  compacted: (oldest) => `What was before revision ${oldest} has been compacted.`,
  limit: (oldest) => `There may be more before revision ${oldest}: --limit=0 shows all.`,
};

async function showChanges({ stdout }: CommandContext, { objects, end }: Versions): Promise<void> {
  for (const [index, object] of objects.entries()) {
    const before = objects[index + 1];
    const changes =
      before !== undefined ? fieldChanges(before, object) : end === 'created' ? ['created'] : [];
    const lines = changes.map((change) => `  ${change}\n`).join('');
    await stdout.write(`${header(object, before)}\n${lines}`);
  }
  await stdout.write(`${ENDS[end](objects.at(-1)?.metadata.resourceVersion ?? '')}\n`);
}

/** Whole differences, as diff writes them, the newest first. */
async function showDiffs(
  context: CommandContext,
  choice: HistoryChoice,
  { objects, end }: Versions,
): Promise<void> {
  const { showDifferences } = await import('../diff/diff-program.ts');
  const { YamlPrinter } = await import('../print/yaml.ts');
  const text = (object: JsonObject): string =>
    new YamlPrinter().print(choice['show-managed-fields'] ? object : withoutManagedFields(object));
  for (const [index, object] of objects.entries()) {
    const before = objects[index + 1];
    await context.stdout.write(`${header(object, before)}\n`);
    if (before === undefined) continue;
    const revisions = [before, object].map(({ metadata }) => `revision-${metadata.resourceVersion}`);
    const [from = '', to = ''] = revisions;
    const name = objectName(object).replaceAll('/', '.');
    await showDifferences(context, [from, to], [{ name, from: text(before), to: text(object) }]);
  }
  await context.stdout.write(`${ENDS[end](objects.at(-1)?.metadata.resourceVersion ?? '')}\n`);
}

function header(object: ApiObject, before: ApiObject | undefined): string {
  const { resourceVersion, creationTimestamp, generation, deletionTimestamp } = object.metadata;
  const writers = changedManagers(object, before);
  const time = latest(writers) ?? (before === undefined ? (creationTimestamp ?? undefined) : undefined);
  const by = writers.map(({ manager, operation, subresource }) => {
    return `${manager} (${operation}${subresource === undefined ? '' : ` of ${subresource}`})`;
  });
  return [
    `revision ${resourceVersion}`,
    ...(time === undefined ? [] : [formatSince(time)]),
    ...(generation === undefined ? [] : [`generation ${generation}`]),
    ...(by.length > 0 ? [`by ${by.join(', ')}`] : before === undefined ? [] : ['by nobody on record']),
    ...(deletionTimestamp ? ['being deleted'] : []),
  ].join('  ');
}

/** Who wrote a version, as far as ownership tells: those whose records are not as before; of the first version the latest. */
function changedManagers({ metadata }: ApiObject, before: ApiObject | undefined): ManagedFieldsEntry[] {
  const entries = metadata.managedFields ?? [];
  const old = before?.metadata.managedFields ?? [];
  const changed = entries.filter((entry) => !old.some((other) => sameJson(entry, other)));
  const last = latest(changed);
  return changed.filter(({ time }) => time === last);
}

function latest(entries: readonly ManagedFieldsEntry[]): string | undefined {
  const times = entries.flatMap(({ time }) => time ?? []).sort();
  return times.at(-1);
}
