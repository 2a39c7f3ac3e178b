import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../../meta/object.ts';
import type { CommandContext } from '../context.ts';
import { CtlError, SeveralErrors, UsageError } from '../errors.ts';
import type { OutputChoice } from '../print/output-flags.ts';
import { Report } from '../write/report.ts';
import { chooseObjects, pathOf, type ChosenObject, type ObjectChoice } from './choose.ts';
import { eachObject } from './each.ts';

/** The maps of an object's metadata that a command sets. */
export type MetadataMap = 'labels' | 'annotations';

export interface MetadataChoice extends ObjectChoice, OutputChoice {
  readonly 'dry-run': string;
  readonly 'field-manager': string;
  readonly list: boolean;
  readonly overwrite: boolean;
  readonly 'resource-version': string | undefined;
}

interface Changes {
  readonly set: Readonly<Record<string, string>>;
  readonly removed: readonly string[];
}

/** Sets and removes labels or annotations of objects. */
export async function changeMetadata(
  context: CommandContext,
  {
    map,
    choice,
    args,
  }: { readonly map: MetadataMap; readonly choice: MetadataChoice; readonly args: readonly string[] },
): Promise<void> {
  const firstPair = args.findIndex((arg) => arg.includes('=') || (arg.endsWith('-') && arg !== '-'));
  const names = firstPair < 0 ? args : args.slice(0, firstPair);
  const changes = readPairs(map, firstPair < 0 ? [] : args.slice(firstPair));
  if (Object.keys(changes.set).length === 0 && changes.removed.length === 0 && !choice.list) {
    throw new CtlError(`at least one ${map === 'labels' ? 'label' : 'annotation'} update is required`);
  }
  const report = await Report.open(context, choice);
  const chosen = await chooseObjects(context, choice, names);
  if (chosen.objects.length !== 1 && (choice['resource-version'] ?? '') !== '') {
    throw new CtlError('--resource-version may only be used with a single resource');
  }
  await eachObject(context, chosen, (object) => changeOne(context, { object, map, changes, choice, report }));
}

function readPairs(map: MetadataMap, pairs: readonly string[]): Changes {
  const set: Record<string, string> = {};
  const removed: string[] = [];
  const what = map === 'labels' ? 'label' : 'annotation';
  for (const pair of pairs) {
    const equals = pair.indexOf('=');
    if (equals > 0) set[pair.slice(0, equals)] = pair.slice(equals + 1);
    else if (equals < 0 && pair.endsWith('-')) removed.push(pair.slice(0, -1));
    else throw new UsageError(`all resources must be specified before ${what} changes: ${pair}`);
  }
  const both = removed.find((key) => key in set);
  if (both !== undefined)
    throw new CtlError(`can not both modify and remove a ${what} in the same command: ${both}`);
  return { set, removed };
}

interface OneChange {
  readonly object: ChosenObject;
  readonly map: MetadataMap;
  readonly changes: Changes;
  readonly choice: MetadataChoice;
  readonly report: Report;
}

async function changeOne(
  context: CommandContext,
  { object, map, changes, choice, report }: OneChange,
): Promise<void> {
  const api = await context.api();
  const path = pathOf(object);
  const before = await api.json({ path });
  const current = entriesOf(before, map);
  if (choice.list) return listEntries(context, current);
  if (!choice.overwrite) refuseOverwriting(current, changes.set);
  if (map === 'labels' && choice['dry-run'] !== 'client') {
    for (const key of changes.removed.filter((one) => !Object.hasOwn(current, one))) {
      await context.stdout.write(`label ${JSON.stringify(key)} not found.\n`);
    }
  }
  const after = changed(before, map, changes);
  const told = map === 'annotations' ? 'annotated' : labelled(before, after, choice.overwrite);
  if (choice['dry-run'] === 'client') return report.done(after, told);
  const gone = changes.removed.filter((key) => Object.hasOwn(current, key));
  const version = choice['resource-version'] ?? '';
  const metadata = {
    ...(version === '' ? {} : { resourceVersion: version }),
    [map]: { ...changes.set, ...Object.fromEntries(gone.map((key) => [key, null])) },
  };
  const answer = await api.json({
    method: 'PATCH',
    path,
    query: {
      dryRun: choice['dry-run'] === 'server' ? 'All' : undefined,
      fieldManager: choice['field-manager'],
    },
    contentType: 'application/merge-patch+json',
    body: { metadata },
  });
  await report.done(answer, told);
}

function entriesOf(object: JsonObject, map: MetadataMap): Readonly<Record<string, string>> {
  const { metadata } = object as { metadata?: Partial<Record<MetadataMap, Record<string, string>>> };
  return metadata?.[map] ?? {};
}

async function listEntries(
  { stdout }: CommandContext,
  entries: Readonly<Record<string, string>>,
): Promise<void> {
  const lines = Object.keys(entries)
    .sort()
    .map((key) => `${key}=${entries[key]}\n`);
  await stdout.write(lines.join(''));
}

function refuseOverwriting(
  current: Readonly<Record<string, string>>,
  set: Readonly<Record<string, string>>,
): void {
  const errors = Object.entries(set)
    .filter(([key, value]) => Object.hasOwn(current, key) && current[key] !== value)
    .map(([key]) => new CtlError(`'${key}' already has a value (${current[key]}), and --overwrite is false`));
  const [first] = errors;
  if (first !== undefined) throw errors.length === 1 ? first : new SeveralErrors(errors);
}

function changed(object: JsonObject, map: MetadataMap, { set, removed }: Changes): JsonObject {
  const kept = Object.entries(entriesOf(object, map)).filter(([key]) => !removed.includes(key));
  return {
    ...object,
    metadata: { ...(object['metadata'] as JsonObject), [map]: { ...Object.fromEntries(kept), ...set } },
  };
}

function labelled(before: JsonObject, after: JsonObject, overwrite: boolean): string {
  const [old, now] = [entriesOf(before, 'labels'), entriesOf(after, 'labels')];
  if (isDeepStrictEqual(old, now)) return 'not labeled';
  return !overwrite && JSON.stringify(now).length < JSON.stringify(old).length ? 'unlabeled' : 'labeled';
}
