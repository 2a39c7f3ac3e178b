import { formatGroupVersion } from '../meta/object.ts';
import type { Lifecycle, ResourceDefinition } from '../schema/model.ts';

/**
 * Makes the warnings of deprecated resources.
 *
 * @param release that is served, `major.minor`: what later releases deprecate isn't deprecated yet.
 * @returns a function that says what to warn of; undefined for most resources.
 */
export function deprecationWarnings(release: string): (resource: ResourceDefinition) => string | undefined {
  const known = new WeakMap<ResourceDefinition, string>();
  return function warningOf(resource) {
    const { lifecycle } = resource;
    if (!isDeprecated(lifecycle, release)) return undefined;
    let text = known.get(resource);
    if (text === undefined) known.set(resource, (text = describe(resource, lifecycle)));
    return text;
  };
}

/** Whether something is deprecated as of a release. Releases all have the major version 1. */
export function isDeprecated({ deprecated }: Lifecycle, release: string): boolean {
  return deprecated !== undefined && minor(deprecated) <= minor(release);
}

function describe({ group, version, kind }: ResourceDefinition, lifecycle: Lifecycle): string {
  const { deprecated, removed, replacement } = lifecycle;
  const gone = removed === undefined ? '' : `, and gone in ${removed}`;
  const instead =
    replacement === undefined
      ? ''
      : `; use ${formatGroupVersion(replacement.group, replacement.version)} ${replacement.kind}`;
  return `${formatGroupVersion(group, version)} ${kind} is deprecated since ${deprecated}${gone}${instead}`;
}

function minor(release: string): number {
  return Number(release.split('.')[1]);
}
