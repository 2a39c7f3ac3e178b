/**
 * What ownership means, naively. An object is its leaves: values by path. Entries of a map are leaves; so is each item of
 * a list with keys, besides its fields; and a container that holds anything, besides what it holds.
 */
export type Leaves = ReadonlyMap<string, string>;

/** An item's own leaf ends so. */
export const ITEM = '/.';

/** Fields that are containers: their own leaves have these names. */
export const CONTAINERS: readonly string[] = ['inner', 'map', 'set', 'named'];

export interface ModelState {
  readonly leaves: Leaves;
  /** Who owns what: `manager operation` → paths. Managers that own nothing are left out. */
  readonly owners: ReadonlyMap<string, ReadonlySet<string>>;
}

/** A manager's update: what it changed or added is its own, and nobody else's. */
export function updated(state: ModelState, manager: string, next: Leaves): ModelState {
  const taken = [...next].filter(([path, value]) => state.leaves.get(path) !== value).map(([path]) => path);
  const owners = without(state.owners, (path) => next.get(path) !== state.leaves.get(path));
  const me = `${manager} Update`;
  return { leaves: next, owners: withSome(owners.set(me, new Set([...(owners.get(me) ?? []), ...taken]))) };
}

/** What others own and a configuration changes: `manager operation path`. */
export function conflicts(state: ModelState, manager: string, configuration: Leaves): string[] {
  const found: string[] = [];
  for (const [owner, paths] of state.owners) {
    if (owner === `${manager} Apply`) continue;
    for (const path of paths) {
      const changes = configuration.has(path) && configuration.get(path) !== state.leaves.get(path);
      if (changes) found.push(`${owner} ${path}`);
    }
  }
  return found;
}

/** A manager's configuration, in force: it is set and owned, and what the manager doesn't mention any more goes. */
export function applied(state: ModelState, manager: string, configuration: Leaves): ModelState {
  const me = `${manager} Apply`;
  // Appliers own what is in containers, never containers.
  const mine = new Set([...configuration.keys()].filter((path) => !CONTAINERS.includes(path)));
  const others = new Map([...state.owners].filter(([owner]) => owner !== me));
  const owned = new Set([...mine, ...[...others.values()].flatMap((paths) => [...paths])]);
  const next = new Map([...state.leaves, ...configuration]);
  for (const path of state.owners.get(me) ?? []) {
    if (owned.has(path)) continue;
    next.delete(path);
    // With an item goes everything in it.
    if (path.endsWith(ITEM)) for (const other of next.keys()) if (isIn(other, path)) next.delete(other);
  }
  for (const container of CONTAINERS) {
    if (![...next.keys()].some((path) => path.startsWith(`${container}/`))) next.delete(container);
  }
  // Who owns a container owns it still when it was emptied so.
  const isLost = (path: string): boolean =>
    next.get(path) !== state.leaves.get(path) && (next.has(path) || !CONTAINERS.includes(path));
  return { leaves: next, owners: withSome(without(others, isLost).set(me, mine)) };
}

function isIn(path: string, item: string): boolean {
  return path.startsWith(item.slice(0, -1));
}

function without(
  owners: ModelState['owners'],
  isLost: (path: string) => boolean,
): Map<string, ReadonlySet<string>> {
  return new Map(
    [...owners].map(([owner, paths]) => [owner, new Set([...paths].filter((path) => !isLost(path)))]),
  );
}

function withSome(owners: Map<string, ReadonlySet<string>>): ModelState['owners'] {
  return new Map([...owners].filter(([, paths]) => paths.size > 0));
}
