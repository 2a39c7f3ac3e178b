import { apiVersionOf, qualifiedResource, type ApiResource } from '../api/resource.ts';
import { defineCommand } from '../command.ts';
import { CtlError, UsageError } from '../errors.ts';
import { ColumnWriter } from '../print/columns.ts';

const HEADERS = ['NAME', 'SHORTNAMES', 'APIVERSION', 'NAMESPACED', 'KIND'];
const MORE_HEADERS = ['VERBS', 'CATEGORIES'];

export const apiResources = defineCommand({
  usage: '[flags]',
  description: 'List the resources that the server has, each in its preferred version.',
  examples: `
    # All of them
    orchctl api-resources
    # Those that can be listed and are in no namespace, with verbs and categories
    orchctl api-resources --verbs=list --namespaced=false -o wide`,
  flags: {
    output: { type: 'text', short: 'o', help: 'wide or name.' },
    'no-headers': { type: 'switch', help: 'Leave the line of headers out.' },
    'api-group': { type: 'text', help: 'Only resources of this group; "" is the core group.' },
    namespaced: { type: 'switch', default: true, help: 'Only resources with, or without, namespaces.' },
    verbs: { type: 'list', commas: true, help: 'Only resources that have all of these verbs.' },
    categories: { type: 'list', commas: true, help: 'Only resources that are in all of these categories.' },
    'sort-by': { type: 'text', help: 'name or kind; by default by group.' },
    cached: { type: 'switch', hidden: true, help: 'Nothing is cached.' },
  },
  async run({ context, flags, given, args }) {
    const { output = '', 'sort-by': sortBy = '' } = flags;
    if (args.length > 0) throw new UsageError(`unexpected arguments: [${args.join(' ')}]`);
    if (!['', 'wide', 'name'].includes(output)) throw new CtlError(`--output ${output} is not available`);
    if (!['', 'name', 'kind'].includes(sortBy)) throw new CtlError('--sort-by accepts only name or kind');
    const mapper = await context.resources();
    const chosen = mapper
      .preferred()
      .filter(
        ({ group, namespaced, verbs, categories }) =>
          verbs.length > 0 &&
          (!given.has('api-group') || group === flags['api-group']) &&
          (!given.has('namespaced') || namespaced === flags.namespaced) &&
          flags.verbs.every((verb) => verbs.includes(verb)) &&
          flags.categories.every((category) => categories.includes(category)),
      )
      .sort(orderBy(sortBy));
    if (output === 'name') {
      await context.stdout.write(chosen.map((resource) => `${qualifiedResource(resource)}\n`).join(''));
      return;
    }
    const wide = output === 'wide';
    const headers = flags['no-headers'] ? [] : [wide ? [...HEADERS, ...MORE_HEADERS] : HEADERS];
    await context.stdout.write(
      new ColumnWriter().lines([...headers, ...chosen.map((resource) => rowOf(resource, wide))]),
    );
  },
});

function rowOf(resource: ApiResource, wide: boolean): string[] {
  const { shortNames, namespaced, kind, verbs, categories } = resource;
  const row = [resource.resource, shortNames.join(','), apiVersionOf(resource), String(namespaced), kind];
  return wide ? [...row, verbs.join(','), categories.join(',')] : row;
}

function orderBy(sortBy: string): (a: ApiResource, b: ApiResource) => number {
  const first = ({ group, kind, resource }: ApiResource): string =>
    sortBy === 'name' ? resource : sortBy === 'kind' ? kind : group;
  return (a, b) => compare(first(a), first(b)) || compare(a.resource, b.resource);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
