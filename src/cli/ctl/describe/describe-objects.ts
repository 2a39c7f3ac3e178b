import { resourcePath, type ApiResource } from '../api/resource.ts';
import type { CommandContext } from '../context.ts';
import { isNotFound } from '../errors.ts';
import { chooseObjects, type ChosenObject, type ObjectChoice } from '../objects/choose.ts';
import { eachObject } from '../objects/each.ts';
import { readObjects } from '../resources/read-objects.ts';
import type { Describer } from './describer.ts';
import { Description } from './description.ts';
import { subjectOf, writeEvents } from './events.ts';
import { describedKind } from './kinds.ts';
import type { Described } from './objects.ts';
import { World } from './world.ts';

export interface DescribeChoice extends Omit<ObjectChoice, 'all' | 'field-selector'> {
  readonly 'show-events': boolean;
  readonly 'chunk-size': number;
}

/**
 * Describes objects one after the other. Where `TYPE NAME` names none, those are described whose names begin so.
 *
 * @throws what went wrong with some of them, when the others are described.
 */
export async function describeObjects(
  context: CommandContext,
  choice: DescribeChoice,
  args: readonly string[],
): Promise<void> {
  const all = (choice.selector ?? '') === '';
  const chosen = await chooseObjects(context, { ...choice, all, 'field-selector': undefined }, args);
  const [api, mapper] = [await context.api(), await context.resources()];
  const world = new World({ api, mapper, now: Date.now(), chunkSize: choice['chunk-size'] });
  const describe = async (object: ChosenObject): Promise<string> => {
    const row = describedKind(object.resource, mapper.names);
    const version = row?.version ?? object.resource.version;
    const resource = mapper.forKind({ ...object.resource, version }) ?? object.resource;
    const read = await api.json<Described & object>({ path: resourcePath({ ...object, resource }) });
    const describer = row === undefined ? (await import('./generic.ts')).generic : await row.load();
    return descriptionOf(describer, read, { world, showEvents: choice['show-events'] });
  };
  let count = 0;
  await eachObject(context, chosen, async (object) => {
    let text: string;
    try {
      text = await describe(object);
    } catch (error) {
      if (!isNotFound(error) || args.length !== 2 || count > 0) throw error;
      return describeByPrefix(context, object, { describe, missing: error });
    }
    await context.stdout.write(count++ === 0 ? text : `\n\n${text}`);
  });
  if (chosen.objects.length === 0 && chosen.errors.length === 0) await tellNone(context, choice);
}

async function descriptionOf(
  describer: Describer,
  object: Described,
  { world, showEvents }: { readonly world: World; readonly showEvents: boolean },
): Promise<string> {
  const page = new Description();
  await describer.write(page, object, world);
  const subjects = describer.subjects?.(object, world) ?? [subjectOf(object)];
  if (showEvents && subjects.length > 0) await writeEvents(page, subjects, world);
  return page.toString();
}

interface ByPrefix {
  readonly describe: (object: ChosenObject) => Promise<string>;
  /** What is told when there are none. */
  readonly missing: Error;
}

async function describeByPrefix(
  context: CommandContext,
  { resource, namespace, name: prefix }: ChosenObject,
  { describe, missing }: ByPrefix,
): Promise<void> {
  let found = false;
  for (const name of await namesOf(context, resource, namespace)) {
    if (!name.startsWith(prefix)) continue;
    found = true;
    await context.stdout.write(`${await describe({ resource, namespace, name })}\n`);
  }
  if (!found) throw missing;
}

async function namesOf(
  context: CommandContext,
  resource: ApiResource,
  namespace: string | undefined,
): Promise<string[]> {
  const names: string[] = [];
  const api = await context.api();
  for await (const { object } of readObjects({ resource }, { api, namespace })) {
    names.push((object as unknown as Described).metadata.name ?? '');
  }
  return names;
}

async function tellNone(context: CommandContext, choice: DescribeChoice): Promise<void> {
  const where = choice['all-namespaces'] ? '' : ` in ${(await context.namespace()).name} namespace.`;
  await context.stderr.write(`No resources found${where}\n`);
}
