import type { GroupVersionResource } from '../../meta/object.ts';

/** Whether a resource is served in a version. */
export type Served = (group: string, version: string, resource: string) => boolean;

export interface ResolvedRuntimeConfig {
  readonly served: Served;
  readonly problems: readonly string[];
}

/** Whole stages, each overriding those before it. */
const STAGES: readonly (readonly [key: string, matches: (version: string) => boolean])[] = [
  ['api/all', () => true],
  ['api/ga', isStable],
  ['api/beta', (version) => /^v\d+beta\d+$/.test(version)],
  ['api/alpha', (version) => /^v\d+alpha\d+$/.test(version)],
];

/**
 * What `--runtime-config` comes to: what is said of a resource counts before what is said of its version, and that
 * before what is said of a stage. Left alone, stable versions are served. (Beta versions from before release 1.22 would be
 * too; none of them is left.)
 *
 * @param config key → `true`, `false` or '' (which is true), as given. The core group's keys are `v1` and
 *   `v1/<resource>`.
 * @param resources what could be served; keys that name nothing of it are problems.
 */
export function resolveRuntimeConfig(
  config: ReadonlyMap<string, string>,
  resources: Iterable<GroupVersionResource>,
): ResolvedRuntimeConfig {
  const known = new Set<string>();
  for (const { group, version, resource } of resources) {
    known.add(`${group}/${version}`).add(`${group}/${version}/${resource}`);
  }
  const problems: string[] = [];
  const said = new Map<string, boolean>();
  for (const [key, text] of config) {
    const value = text === '' ? true : BOOLEANS.get(text);
    const name = normalized(key);
    if (value === undefined) problems.push(`--runtime-config: ${key}=${text} is neither true nor false`);
    else if (!known.has(name) && !STAGES.some(([stage]) => stage === name)) {
      problems.push(`--runtime-config: there is no ${key}`);
    } else said.set(name, value);
  }
  return { served: servedBy(said), problems };
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/** With the core group's empty name in front, as other groups have theirs. */
function normalized(key: string): string {
  return /^v\d/.test(key) ? `/${key}` : key;
}

function servedBy(said: ReadonlyMap<string, boolean>): Served {
  const stages = STAGES.toReversed();
  return function served(group, version, resource) {
    const specific = said.get(`${group}/${version}/${resource}`) ?? said.get(`${group}/${version}`);
    if (specific !== undefined) return specific;
    for (const [key, matches] of stages) {
      const value = said.get(key);
      if (value !== undefined && matches(version)) return value;
    }
    return isStable(version);
  };
}

function isStable(version: string): boolean {
  return /^v\d+$/.test(version);
}
