import type { ApiResource } from '../api/resource.ts';
import type { CommandContext } from '../context.ts';
import { UsageError } from '../errors.ts';
import { parseResourceArguments } from '../resources/arguments.ts';

/** An object by its name. */
export interface NamedTarget {
  readonly resource: ApiResource;
  readonly name: string;
  readonly namespace: string;
}

/** Reads `TYPE/NAME` or `TYPE NAME`, and what stands behind. @throws UsageError for anything else. */
export async function oneTarget(
  context: CommandContext,
  args: readonly string[],
  command: string,
): Promise<{ target: NamedTarget; rest: readonly string[] }> {
  const [first, second] = args;
  const count = first?.includes('/') === true ? 1 : 2;
  if (first === undefined || (count === 2 && second === undefined))
    throw new UsageError(`an object is missing: orchctl ${command} TYPE/NAME`);
  const named = parseResourceArguments(await context.resources(), args.slice(0, count), { allByType: false });
  const [target] = named.targets;
  if (target?.name === undefined || named.targets.length > 1)
    throw new UsageError(`one object at a time: orchctl ${command} TYPE/NAME`);
  const { name: namespace } = await context.namespace();
  return { target: { resource: target.resource, name: target.name, namespace }, rest: args.slice(count) };
}
