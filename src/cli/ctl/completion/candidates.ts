import type { ApiResource } from '../api/resource.ts';
import { qualifiedResource } from '../api/resource.ts';
import type { ArgumentKind } from '../command.ts';
import type { CommandContext } from '../context.ts';
import type { Flag } from '../flags/flag.ts';
import { Kubeconfig } from '../kubeconfig/kubeconfig.ts';
import { readObjects } from '../resources/read-objects.ts';
import type { Position } from './position.ts';

/** What may come next, a line each: the word, and behind a tab what it is. `:files` leaves it to the shell. */
export async function candidates(position: Position, context: CommandContext): Promise<string[]> {
  const { flag, prefix, text, command, commands, args, flags } = position;
  if (flag !== undefined)
    return startingWith(await flagValues(flag, context), text).map((value) => prefix + value);
  if (text.startsWith('-')) return startingWith(flagNames(flags), text);
  if (command === undefined) {
    const shown = commands.filter(({ hidden }) => hidden !== true);
    return startingWith(
      shown.map(({ name, summary }) => `${name}\t${summary}`),
      text,
    );
  }
  return startingWith(await argumentValues(command.arguments, { args, text, context }), text);
}

function startingWith(words: readonly string[], text: string): string[] {
  return words.filter((word) => word === FILES || word.startsWith(text));
}

const FILES = ':files';

function flagNames(flags: Readonly<Record<string, Flag>>): string[] {
  return Object.entries(flags)
    .filter(([, { hidden }]) => hidden !== true)
    .map(([name, { help }]) => `--${name}\t${help}`);
}

async function flagValues(flag: Flag, context: CommandContext): Promise<readonly string[]> {
  if (flag.type === 'text' && flag.choices !== undefined) return flag.choices;
  if (flag.type !== 'text' && flag.type !== 'list') return [];
  switch (flag.completes) {
    case 'files':
      return [FILES];
    case 'contexts':
    case 'clusters':
    case 'users':
      return configNames(flag.completes, context);
    case 'namespaces':
      return objectNames('namespaces', context);
    default:
      return [];
  }
}

interface ArgumentPlace {
  readonly args: readonly string[];
  readonly text: string;
  readonly context: CommandContext;
}

async function argumentValues(
  kind: ArgumentKind | undefined,
  place: ArgumentPlace,
): Promise<readonly string[]> {
  const { args, context } = place;
  switch (kind) {
    case undefined:
      return [];
    case 'files':
      return [FILES];
    case 'contexts':
    case 'clusters':
    case 'users':
      return configNames(kind, context);
    case 'resource-types':
      return args.length === 0 ? typeNames(context) : [];
    case 'resources':
      return resourceValues(place);
    default:
      if ('oneOf' in kind) return kind.oneOf;
      return (await objectNames(kind.objectsOf, context)).filter((name) => !args.includes(name));
  }
}

async function configNames(
  section: 'contexts' | 'clusters' | 'users',
  context: CommandContext,
): Promise<string[]> {
  return (await Kubeconfig.load(context)).entries(section).map(({ name }) => name);
}

async function resourceValues({ args, text, context }: ArgumentPlace): Promise<readonly string[]> {
  const slash = text.indexOf('/');
  if (slash > 0) {
    const type = text.slice(0, slash);
    return (await objectNames(type, context)).map((name) => `${type}/${name}`);
  }
  const [type] = args;
  if (type === undefined || type.includes('/')) {
    const others = text.slice(0, text.lastIndexOf(',') + 1);
    return (await typeNames(context)).map((name) => others + name);
  }
  return (await objectNames(type, context)).filter((name) => !args.includes(name));
}

/** Plurals, with their group where another resource has the same one. */
async function typeNames(context: CommandContext): Promise<string[]> {
  const resources = (await context.resources()).preferred().filter(({ verbs }) => verbs.includes('list'));
  const first = new Map<string, ApiResource>();
  for (const resource of resources) if (!first.has(resource.resource)) first.set(resource.resource, resource);
  return resources
    .map((one) => (first.get(one.resource) === one ? one.resource : qualifiedResource(one)))
    .sort();
}

/** Nobody reads through more names than these. */
const MOST_NAMES = 500;

async function objectNames(type: string, context: CommandContext): Promise<string[]> {
  const resource = (await context.resources()).lookUp(type);
  if (resource === undefined) return [];
  const group = (await context.names()).get('group.meta');
  const names: string[] = [];
  const found = readObjects(
    { resource },
    {
      api: await context.api(),
      namespace: resource.namespaced ? (await context.namespace()).name : undefined,
      accept: `application/json;as=PartialObjectMetadataList;v=v1;g=${group},application/json`,
      chunkSize: MOST_NAMES,
    },
  );
  for await (const { object } of found) {
    const { metadata } = object as { metadata?: { name?: string } };
    if (metadata?.name !== undefined) names.push(metadata.name);
    if (names.length === MOST_NAMES) break;
  }
  return names;
}
