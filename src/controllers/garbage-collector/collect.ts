import { ApiError } from '../../errors/api-error.ts';
import type { OwnerTie } from '../../store/ties.ts';
import { atOnce } from '../at-once.ts';
import type { ControllerParts } from '../controller.ts';
import { deleteItem, disown, release, unblock } from './changes.ts';
import { isAwaited, type Graph, type Item } from './graph.ts';
import { waitsForItself } from './circle.ts';
import type { OwnerState, Owners } from './owners.ts';

/** Dependents of one owner that are changed at a time. */
const AT_ONCE = 16;

export interface Collecting {
  readonly parts: Pick<ControllerParts, 'store' | 'server'>;
  readonly graph: Graph;
  readonly owners: Owners;
  /** Told of an object that is kept for an owner of which nobody can tell whether it exists. */
  readonly leave: (item: Item) => void;
  /** Told of an object whose owner is absent, or is where it can't be one. */
  readonly absent: (item: Item, tie: OwnerTie) => Promise<void>;
}

/** Does what is to be done about an object that has owners, or is being deleted. */
export async function collect(collecting: Collecting, current: Item): Promise<void> {
  // What is judged is one version, whatever comes meanwhile.
  const item = { ...current };
  const { deleting, awaits, owners } = item.ties;
  if (deleting) {
    if (awaits === 'orphan') await orphan(collecting, item);
    else if (awaits === 'foregroundDeletion') await finish(collecting, item);
  } else if (owners.length > 0) {
    await judge(collecting, item);
  }
}

/** Takes an owner that is being deleted from its dependents, and lets it go. */
async function orphan({ parts, graph }: Collecting, item: Item): Promise<void> {
  const uids = new Set([item.uid]);
  const dependents = [...(graph.owner(item.uid)?.dependents ?? [])];
  await atOnce(dependents, AT_ONCE, async (dependent) => {
    try {
      await disown(parts, dependent, uids);
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason !== 'NotFound') throw error;
    }
  });
  await release(parts, item, 'orphan');
}

/** Lets an owner go that waited for its dependents, if they have gone. What can't be its dependent isn't waited for. */
async function finish({ parts, graph }: Collecting, item: Item): Promise<void> {
  const blocking = graph.owner(item.uid)?.blocking;
  const isBlocked = item.row.namespaced ? blocking?.has(item.namespace) : (blocking?.size ?? 0) > 0;
  if (isBlocked !== true || waitsForItself(graph, item)) await release(parts, item, 'foregroundDeletion');
}

/** Deletes an object that nobody owns any more. */
async function judge(collecting: Collecting, item: Item): Promise<void> {
  const { parts } = collecting;
  const { solid, unknown, waiting, absent } = await ownerStates(collecting, item);
  if (unknown.length > 0) collecting.leave(item);
  // What is in no namespace has no owner in one, whether there is such an object or not.
  const lost = item.row.namespaced ? absent : [...absent, ...unknown];
  for (const tie of lost) await collecting.absent(item, tie);
  if (solid.length + unknown.length > 0) {
    const others = new Set([...waiting, ...absent].map(({ uid }) => uid));
    if (others.size > 0) await disown(parts, item, others);
  } else if (waiting.length > 0 && hasDependents(collecting, item)) {
    const blocks = item.ties.owners.some((tie) => tie.blocks);
    // With that change it comes again.
    if (blocks && isInCircle(collecting, item)) await unblock(parts, item);
    else await deleteItem(parts, item, 'Foreground');
  } else {
    await deleteItem(parts, item, policyOf(item));
  }
}

type Judged = Readonly<Record<OwnerState, OwnerTie[]>>;

async function ownerStates({ owners }: Collecting, item: Item): Promise<Judged> {
  const states: Judged = { solid: [], unknown: [], waiting: [], absent: [] };
  for (const tie of item.ties.owners) states[await owners.stateOf(tie, item)].push(tie);
  return states;
}

function hasDependents({ graph }: Collecting, { uid }: Item): boolean {
  return (graph.owner(uid)?.dependents.size ?? 0) > 0;
}

/** Whether one of its dependents is waited for, too, and may wait for it. */
function isInCircle({ graph }: Collecting, { uid }: Item): boolean {
  for (const { ties } of graph.owner(uid)?.dependents ?? []) if (isAwaited(ties)) return true;
  return false;
}

/** What an object's own finalizers say of its dependents goes first. */
function policyOf({ ties: { awaits } }: Item): 'Background' | 'Foreground' | 'Orphan' {
  if (awaits === undefined) return 'Background';
  return awaits === 'orphan' ? 'Orphan' : 'Foreground';
}
