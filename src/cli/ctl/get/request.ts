import type { CommandContext } from '../context.ts';
import type { NamingProfile } from '../../../names/profile.ts';
import { CtlError } from '../errors.ts';
import { parseResourceArguments, type NamedTargets } from '../resources/arguments.ts';
import type { ReadOptions } from '../resources/read-objects.ts';

/** What a `get` is about. */
export interface GetRequest {
  readonly context: CommandContext;
  readonly named: NamedTargets;
  /** How every target is read, but for the form of the answer. */
  readonly read: ReadOptions;
  readonly allNamespaces: boolean;
  readonly ignoreNotFound: boolean;
  readonly sortBy: string;
}

export interface GetChoice {
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
  const mapper = await context.resources();
  const named = parseResourceArguments(mapper, args, { allByType: true });
  const byName = named.targets.some(({ name }) => name !== undefined);
  const { selector, 'field-selector': fieldSelector, 'all-namespaces': allNamespaces } = choice;
  const sortBy = choice['sort-by'] ?? '';
  if (byName && allNamespaces)
    throw new CtlError('a resource cannot be retrieved by name across all namespaces');
  if (byName && (selector ?? '') !== '') {
    throw new CtlError('name cannot be provided when a selector is specified');
  }
  return {
    context,
    named,
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

/** The media types that ask for a Table. */
export function tableAccept(names: NamingProfile): string {
  const group = names.get('group.meta');
  return `application/json;as=Table;v=v1;g=${group},application/json;as=Table;v=v1beta1;g=${group},application/json`;
}
