import type { Pod, Selector } from '../objects.ts';
import type { World } from '../world.ts';
import { selectorText } from './selector.ts';

/** In the order in which they are shown. */
const PHASES: readonly (readonly [phase: string, word: string])[] = [
  ['Running', 'Running'],
  ['Pending', 'Waiting'],
  ['Succeeded', 'Succeeded'],
  ['Failed', 'Failed'],
];

export interface PodController {
  readonly uid: string | undefined;
  readonly namespace: string | undefined;
  readonly selector: Selector | undefined;
}

/** How many pods of a controller are in which phase: `1 Running / 0 Waiting / …`. @throws ServerError */
export async function podCounts(controller: PodController, world: World): Promise<string> {
  const { uid, namespace, selector } = controller;
  const labelSelector = selectorText(selector);
  const pods = await world.list<Pod>({ group: '', kind: 'Pod' }, { namespace, labelSelector });
  const own = pods.filter(({ metadata: { ownerReferences = [] } }) =>
    ownerReferences.some((owner) => owner.controller === true && owner.uid === uid),
  );
  return PHASES.map(
    ([phase, word]) => `${own.filter(({ status }) => status?.phase === phase).length} ${word}`,
  ).join(' / ');
}
