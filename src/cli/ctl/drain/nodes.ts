import { resourcePath, type ApiResource } from '../api/resource.ts';
import type { CommandContext } from '../context.ts';
import { CtlError, UsageError } from '../errors.ts';
import { defineFlags } from '../flags/flag.ts';
import { DRY_RUN_FLAG } from '../objects/flags.ts';
import { readObjects } from '../resources/read-objects.ts';

/** How nodes are chosen, and whether something is stored. */
export const NODE_FLAGS = defineFlags({
  ...DRY_RUN_FLAG,
  selector: {
    type: 'text',
    short: 'l',
    help: "Nodes whose labels match: 'zone=a,!old'; instead of their names.",
  },
});

export interface NodeChoice {
  readonly selector: string | undefined;
  readonly 'dry-run': string;
}

/** A node in the parts that matter here. */
export interface Node {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: { readonly unschedulable?: boolean };
}

/** Reads the nodes that arguments or a selector name. @throws ServerError for one that isn't there. */
export async function chooseNodes(
  context: CommandContext,
  { selector = '' }: NodeChoice,
  args: readonly string[],
): Promise<Node[]> {
  if (args.length === 0 && selector === '')
    throw new UsageError('name the nodes, or choose them with --selector');
  if (args.length > 0 && selector !== '')
    throw new UsageError('cannot specify both a node name and a --selector option');
  const [api, mapper] = [await context.api(), await context.resources()];
  const resource = mapper.find('nodes');
  const nodes: Node[] = [];
  for (const arg of args) {
    const name = nameOf(arg, resource, (word) => mapper.find(word));
    nodes.push(await api.json<Node>({ path: resourcePath({ resource, name }) }));
  }
  if (selector === '') return nodes;
  for await (const { object } of readObjects({ resource }, { api, labelSelector: selector }))
    nodes.push(object as unknown as Node);
  return nodes;
}

/** Of `NAME` or `node/NAME`. */
function nameOf(arg: string, nodes: ApiResource, find: (word: string) => ApiResource): string {
  const slash = arg.indexOf('/');
  if (slash < 0) return arg;
  const { resource, group } = find(arg.slice(0, slash));
  if (resource !== nodes.resource || group !== nodes.group)
    throw new CtlError(`expected resource of type node, got ${JSON.stringify(arg)}`);
  return arg.slice(slash + 1);
}
