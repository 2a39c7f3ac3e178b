import type { JsonObject } from '../../../meta/object.ts';
import type { ApiResource } from '../api/resource.ts';
import { resourcePath } from '../api/resource.ts';
import type { CommandContext } from '../context.ts';
import { CtlError } from '../errors.ts';
import { parseResourceArguments } from '../resources/arguments.ts';
import { readObjects } from '../resources/read-objects.ts';
import { findTarget } from '../write/find-target.ts';
import type { ManifestChoice } from '../write/flags.ts';
import { loadManifests } from '../write/load-manifests.ts';

/** An object that a command is about. */
export interface ChosenObject {
  readonly resource: ApiResource;
  readonly namespace: string | undefined;
  readonly name: string;
}

export interface ChosenObjects {
  readonly objects: readonly ChosenObject[];
  /** What went wrong with others, to be told when these are done. */
  readonly errors: readonly unknown[];
}

export interface ObjectChoice extends ManifestChoice {
  readonly 'field-selector': string | undefined;
  readonly all: boolean;
  readonly 'all-namespaces': boolean;
}

/**
 * Finds the objects that arguments, selectors or manifests name.
 *
 * @throws CtlError when nothing is named, or too much.
 */
export async function chooseObjects(
  context: CommandContext,
  choice: ObjectChoice,
  args: readonly string[],
): Promise<ChosenObjects> {
  const fromFiles = choice.filename.length > 0 || (choice.kustomize ?? '') !== '';
  if (fromFiles && args.length > 0) {
    throw new CtlError(
      'when paths, URLs, or stdin is provided as input, you may not specify resource arguments as well',
    );
  }
  return fromFiles ? chooseByManifests(context, choice) : chooseByArguments(context, choice, args);
}

async function chooseByManifests(context: CommandContext, choice: ObjectChoice): Promise<ChosenObjects> {
  const { manifests, errors: mistakes } = await loadManifests(context, choice);
  const errors: unknown[] = [...mistakes];
  const [mapper, namespace] = [await context.resources(), await context.namespace()];
  const objects: ChosenObject[] = [];
  for (const manifest of manifests) {
    try {
      objects.push(findTarget(manifest, mapper, namespace));
    } catch (error) {
      errors.push(error);
    }
  }
  return { objects, errors };
}

async function chooseByArguments(
  context: CommandContext,
  choice: ObjectChoice,
  args: readonly string[],
): Promise<ChosenObjects> {
  const { selector = '', 'field-selector': fieldSelector = '', all, 'all-namespaces': everywhere } = choice;
  const selects = selector !== '' || fieldSelector !== '';
  if (all && selects) {
    throw new CtlError(
      `cannot set --all and --${selector === '' ? 'field-selector' : 'selector'} at the same time`,
    );
  }
  const mapper = await context.resources();
  const { targets } = parseResourceArguments(mapper, args, { allByType: all || selects });
  const namespace = everywhere ? undefined : (await context.namespace()).name;
  const byName = targets.some(({ name }) => name !== undefined);
  if (byName && selects) throw new CtlError('name cannot be provided when a selector is specified');
  if (byName && everywhere)
    throw new CtlError('a resource cannot be retrieved by name across all namespaces');
  const api = await context.api();
  const objects: ChosenObject[] = [];
  for (const { resource, name } of targets) {
    const own = resource.namespaced ? namespace : undefined;
    if (name !== undefined) {
      objects.push({ resource, namespace: own, name });
      continue;
    }
    const read = { api, namespace: own, labelSelector: selector, fieldSelector };
    for await (const { object } of readObjects({ resource }, read)) objects.push(addressOf(resource, object));
  }
  return { objects, errors: [] };
}

function addressOf(resource: ApiResource, object: JsonObject): ChosenObject {
  const { name = '', namespace } = (object['metadata'] ?? {}) as { name?: string; namespace?: string };
  return { resource, namespace, name };
}

/** The path of a chosen object. */
export function pathOf({ resource, namespace, name }: ChosenObject, subresource?: string): string {
  return resourcePath({ resource, namespace, name, subresource });
}
