import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { CommandContext } from '../context.ts';
import type { NamingProfile } from '../../../names/profile.ts';
import { CtlError } from '../errors.ts';
import { parseResourceArguments, type NamedTargets } from '../resources/arguments.ts';
import type { ReadOptions } from '../resources/read-objects.ts';
import type { ManifestChoice } from '../write/flags.ts';

/** What a `get` is about. */
export interface GetRequest {
  readonly context: CommandContext;
  readonly named: NamedTargets;
  /** What is wrong with manifests that name targets; told when the others are shown. */
  readonly mistakes: readonly unknown[];
  /** How every target is read, but for the form of the answer. */
  readonly read: ReadOptions;
  readonly allNamespaces: boolean;
  readonly ignoreNotFound: boolean;
  readonly sortBy: string;
}

export interface GetChoice extends ManifestChoice {
  readonly 'all-namespaces': boolean;
  readonly selector: string | undefined;
  readonly 'field-selector': string | undefined;
  readonly 'chunk-size': number;
  readonly subresource: string | undefined;
  readonly 'ignore-not-found': boolean;
  readonly 'sort-by': string | undefined;
}

/** @throws CtlError when flags and arguments don't go together. */
export async function readGetRequest(
  context: CommandContext,
  choice: GetChoice,
  args: readonly string[],
): Promise<GetRequest> {
  const fromFiles = choice.filename.length > 0 || (choice.kustomize ?? '') !== '';
  const { named, mistakes } = fromFiles
    ? await targetsOfManifests(context, choice, args)
    : { named: parseResourceArguments(await context.resources(), args, { allByType: true }), mistakes: [] };
  const byName = named.targets.some(({ name }) => name !== undefined);
  const { selector, 'field-selector': fieldSelector, 'all-namespaces': allNamespaces } = choice;
  const sortBy = choice['sort-by'] ?? '';
  if (byName && allNamespaces)
    throw new CtlError('a resource cannot be retrieved by name across all namespaces');
  if (byName && !fromFiles && (selector ?? '') !== '') {
    throw new CtlError('name cannot be provided when a selector is specified');
  }
  return {
    context,
    named,
    mistakes,
    read: {
      api: await context.api(),
      namespace: allNamespaces ? undefined : (await context.namespace()).name,
      labelSelector: selector,
      fieldSelector,
      subresource: choice.subresource,
      // A sort needs all of them at once.
      chunkSize: sortBy === '' ? choice['chunk-size'] : 0,
    },
    allNamespaces,
    ignoreNotFound: choice['ignore-not-found'],
    sortBy,
  };
}

interface ManifestTargets {
  readonly named: NamedTargets;
  readonly mistakes: readonly unknown[];
}

/** The objects that manifests name. One file with one object stands for that object; all else for a list. */
async function targetsOfManifests(
  context: CommandContext,
  choice: GetChoice,
  args: readonly string[],
): Promise<ManifestTargets> {
  const { chooseObjects } = await import('../objects/choose.ts');
  const { objects, errors } = await chooseObjects(context, { ...choice, all: false }, args);
  const targets = objects.map(({ resource, namespace, name }) => ({ resource, namespace, name }));
  const single = targets.length === 1 && (await isOneFile(context, choice));
  return { named: { targets, single, words: [] }, mistakes: errors };
}

async function isOneFile({ cwd }: CommandContext, { filename }: GetChoice): Promise<boolean> {
  const [file, more] = filename;
  if (file === undefined) return true;
  if (more !== undefined || file === '-') return false;
  const found = await stat(resolve(cwd, file)).catch(() => undefined);
  return found?.isDirectory() !== true;
}

/** The media types that ask for a Table. */
export function tableAccept(names: NamingProfile): string {
  const group = names.get('group.meta');
  return `application/json;as=Table;v=v1;g=${group},application/json;as=Table;v=v1beta1;g=${group},application/json`;
}
