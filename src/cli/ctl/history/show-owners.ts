import type { JsonObject } from '../../../meta/object.ts';
import { objectName, resourcePath } from '../api/resource.ts';
import { formatSince } from '../apply/conflict.ts';
import type { CommandContext } from '../context.ts';
import { CtlError } from '../errors.ts';
import { ColumnWriter } from '../print/columns.ts';
import { oneTarget } from './one-target.ts';
import { follow, formatPath, parsePath } from './field-path.ts';
import { ownersOf, type Ownership } from './owners.ts';

export interface OwnersChoice {
  readonly output: string | undefined;
  readonly 'no-headers': boolean;
  readonly manager: string | undefined;
  readonly subresource: string | undefined;
}

const HEADERS = ['FIELD', 'MANAGER', 'OPERATION', 'LAST CHANGE'];

/** Shows who owns the fields of an object. @throws CtlError when nobody owns the field that was asked for. */
export async function showOwners(
  context: CommandContext,
  choice: OwnersChoice,
  args: readonly string[],
): Promise<void> {
  const { target, rest } = await oneTarget(context, args, 'who-owns');
  if (rest.length > 1) throw new CtlError(`one path at a time: ${rest.join(' ')}`);
  const wanted = parsePath(rest[0] ?? '');
  const api = await context.api();
  const { resource, name, namespace } = target;
  const object = await api.json({ path: resourcePath({ resource, name, namespace }) });
  const found = ownersOf(object, wanted).filter(
    ({ manager, subresource }) =>
      (choice.manager === undefined || choice.manager === manager) &&
      (choice.subresource === undefined || choice.subresource === subresource),
  );
  if (found.length === 0 && wanted.length > 0) {
    const path = formatPath(wanted);
    const value = wanted.reduce<ReturnType<typeof follow>>((inner, step) => follow(inner, step), object);
    throw new CtlError(`nobody owns ${path} of ${objectName(object)}`, {
      hint:
        value === undefined
          ? 'There is no such field now.'
          : 'The server has set it, or it was set before ownership was recorded.',
    });
  }
  await context.stdout.write(await render(object, found, choice));
}

async function render(
  object: JsonObject,
  found: readonly Ownership[],
  choice: OwnersChoice,
): Promise<string> {
  if (choice.output === 'json' || choice.output === 'yaml') {
    const { kind, apiVersion, metadata } = object as {
      kind: string;
      apiVersion: string;
      metadata: JsonObject;
    };
    const { name, namespace, resourceVersion } = metadata;
    const owners = found.map(({ subresource, time, ...own }): JsonObject => {
      return {
        ...own,
        ...(subresource === '' ? {} : { subresource }),
        ...(time === undefined ? {} : { time }),
      };
    });
    const shown = { apiVersion, kind, metadata: { name, namespace, resourceVersion }, owners };
    if (choice.output === 'json') return (await import('../print/json.ts')).printJson(shown);
    const { YamlPrinter } = await import('../print/yaml.ts');
    return new YamlPrinter().print(shown);
  }
  const rows = found.map(({ path, manager, operation, subresource, time }) => {
    return [
      path,
      manager,
      subresource === '' ? operation : `${operation} of ${subresource}`,
      formatSince(time),
    ];
  });
  return new ColumnWriter().lines(choice['no-headers'] ? rows : [HEADERS, ...rows]);
}
