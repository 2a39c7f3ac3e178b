import type { Json } from '../../meta/object.ts';
import { itemElement } from '../ownership/list-items.ts';
import { valueElement } from '../ownership/path-element.ts';
import type { OwnershipPlan } from '../ownership/ownership-plan.ts';

type ListPlan = OwnershipPlan & { kind: 'set' | 'list' };
type MergeValue = (
  plan: OwnershipPlan,
  live: Json | undefined,
  applied: Json | undefined,
) => Json | undefined;

/** Both sides of a list, and how their items are merged. */
interface Lists {
  readonly live: Json;
  readonly applied: Json;
  readonly mergeValue: MergeValue;
}

/**
 * Merges two lists whose items have identities. Items that only one side has are taken from there; those of both are
 * merged. The order is that of the applied list, in which items of the stored one keep their place behind the items
 * they followed.
 */
export function mergeItems(plan: ListPlan, { live, applied, mergeValue }: Lists): Json {
  const before = Array.isArray(live) ? live : [];
  if (!Array.isArray(applied) || applied.length === 0) return before.length === 0 ? applied : live;
  if (before.length === 0) return applied;
  const merged = new ItemMerger(plan, before, applied, mergeValue).run();
  return isSameList(merged, before) ? live : merged;
}

const SCALAR: OwnershipPlan = { kind: 'leaf' };

class ItemMerger {
  readonly #items: OwnershipPlan;
  readonly #mergeValue: MergeValue;
  readonly #live: readonly Json[];
  readonly #liveElements: readonly string[];
  readonly #appliedElements: readonly string[];
  /** Stored items by their identity; null where several share one, since none of them can be merged with. */
  readonly #liveItems: ReadonlyMap<string, Json>;
  readonly #appliedItems: ReadonlyMap<string, Json>;
  readonly #out: Json[] = [];
  /** Which item of both sides is to come next, by its place in the applied list. */
  #nextShared = -1;

  constructor(plan: ListPlan, live: readonly Json[], applied: readonly Json[], mergeValue: MergeValue) {
    const elementOf =
      plan.kind === 'set' ? valueElement : (item: Json): string => itemElement(item, plan.keys);
    this.#items = plan.kind === 'set' ? SCALAR : plan.items;
    this.#mergeValue = mergeValue;
    this.#live = live;
    this.#liveElements = live.map(elementOf);
    this.#appliedElements = applied.map(elementOf);
    this.#liveItems = byElement(this.#liveElements, live);
    this.#appliedItems = byElement(this.#appliedElements, applied);
    this.#advance();
  }

  run(): Json[] {
    const live = this.#liveElements;
    const applied = this.#appliedElements;
    const taken = new Set<string>();
    let l = 0;
    let a = 0;
    while (l < live.length || a < applied.length) {
      const ours = live[l];
      const theirs = applied[a];
      if (ours !== undefined) {
        if (ours === theirs) {
          taken.add(ours);
          this.#merge(ours);
          this.#advance();
          l++;
          a++;
          continue;
        }
        const shared = this.#appliedItems.has(ours);
        if (!shared) {
          this.#out.push(this.#live[l] ?? null);
          l++;
          continue;
        }
        // It comes where the applied list has it: not before the shared item that is next there, and once.
        const isNext = ours === applied[this.#nextShared];
        if (theirs !== undefined && this.#nextShared >= 0 && !isNext) {
          l++;
          continue;
        }
        if (taken.has(ours)) l++;
      }
      if (theirs !== undefined) {
        taken.add(theirs);
        this.#merge(theirs);
        if (a === this.#nextShared) this.#advance();
        a++;
      }
    }
    return this.#out;
  }

  #merge(element: string): void {
    const merged = this.#mergeValue(
      this.#items,
      this.#liveItems.get(element),
      this.#appliedItems.get(element),
    );
    this.#out.push(merged ?? null);
  }

  #advance(): void {
    const elements = this.#appliedElements;
    let next = this.#nextShared + 1;
    while (next < elements.length && !this.#liveItems.has(elements[next] as string)) next++;
    this.#nextShared = next < elements.length ? next : NONE;
  }
}

/** There is no shared item any more. */
const NONE = Number.NEGATIVE_INFINITY;

function byElement(elements: readonly string[], items: readonly Json[]): Map<string, Json> {
  const found = new Map<string, Json>();
  for (const [i, element] of elements.entries())
    found.set(element, found.has(element) ? null : (items[i] ?? null));
  return found;
}

function isSameList(a: readonly Json[], b: readonly Json[]): boolean {
  return a.length === b.length && a.every((item, i) => item === b[i]);
}
