import type { JsonObject } from '../../../../meta/object.ts';
import type { ResourceMapper } from '../../api/resource-mapper.ts';

/** What somebody wants to do, as it is written on a command line. */
export interface Wish {
  readonly verb: string;
  /** `TYPE`, `TYPE/NAME` or a path. */
  readonly what: string;
  readonly name: string;
  /** '' for all, or none. */
  readonly namespace: string;
  readonly subresource: string | undefined;
}

/** The question of an access review. */
export function accessSpec(mapper: ResourceMapper, wish: Wish): JsonObject {
  const { verb, what, name, namespace, subresource } = wish;
  if (what.startsWith('/')) return { nonResourceAttributes: { verb, path: what } };
  const attributes = { verb, namespace, subresource, ...resourceOf(mapper, what, name) };
  return { resourceAttributes: attributes };
}

/** The server may not have the resource: that is no reason not to ask. */
function resourceOf(
  mapper: ResourceMapper,
  what: string,
  third: string,
): { group: string; resource: string; name: string | undefined } {
  const [type = '', name = third] = what.split('/');
  const found = type === '*' ? undefined : mapper.lookUp(type);
  return {
    group: found?.group ?? '',
    resource: found?.resource ?? type,
    name: name === '' ? undefined : name,
  };
}
