import { numberAt, objectAt, objectsAt, textAt } from '../../../meta/fields.ts';
import type { ApiObject } from '../../../meta/object.ts';
import type { Quantity } from '../../../meta/quantity.ts';
import { addResources, readResources, type ResourceList } from '../../../meta/resource-list.ts';
import { containerResources, podResources } from '../../pod-resources.ts';
import { podIsInScope } from '../scopes.ts';
import { ONE, type QuotaEvaluator } from './evaluator.ts';

const COMPUTE = ['cpu', 'memory', 'ephemeral-storage'];
const HUGE_PAGES = 'hugepages-';
const REQUESTS = 'requests.';
const COUNT = 'count/pods';

const MEASURED: ReadonlySet<string> = new Set([
  COUNT,
  'pods',
  ...COMPUTE,
  ...COMPUTE.map((name) => `${REQUESTS}${name}`),
  ...COMPUTE.map((name) => `limits.${name}`),
]);

/** Where a quota limits one of these, each container has to say how much it needs. */
const MUST_BE_SAID: ReadonlySet<string> = new Set(
  ['cpu', 'memory'].flatMap((name) => [name, `${REQUESTS}${name}`, `limits.${name}`]),
);

/** Pods: how many, and what they ask for and may use. @param ownPrefix of resources that are the system's */
export function pods(ownPrefix: string): QuotaEvaluator {
  const isNative = (name: string): boolean => !name.includes('/') || name.includes(ownPrefix);
  return {
    handles({ operation, subresource }) {
      return operation === 'CREATE' ? subresource === '' : operation === 'UPDATE' && subresource === 'resize';
    },
    measures(name) {
      if (MEASURED.has(name) || name.startsWith(HUGE_PAGES) || name.startsWith(REQUESTS + HUGE_PAGES))
        return true;
      return name.startsWith(REQUESTS) && !isNative(name);
    },
    usage(pod, now) {
      const used = new Map<string, Quantity>([[COUNT, ONE]]);
      if (isOver(pod, now)) return used;
      const spec = objectAt(pod, 'spec');
      const requests = podResources(spec, 'requests');
      const limits = podResources(spec, 'limits');
      const overhead = readResources(spec, 'overhead');
      addResources(requests, overhead);
      addResources(limits, new Map([...overhead].filter(([name]) => limits.has(name))));
      addCompute(used, { requests, limits }, isNative);
      return used;
    },
    isInScope: podIsInScope,
    problem(pod, names) {
      const demanded = names.filter((name) => MUST_BE_SAID.has(name));
      return demanded.length === 0 ? undefined : unsaid(pod, demanded.sort(), isNative);
    },
  };
}

/** Whether a pod uses nothing any more: it has ended, or should have ended long ago. */
function isOver(pod: ApiObject, now: number): boolean {
  const phase = textAt(objectAt(pod, 'status'), 'phase');
  if (phase === 'Failed' || phase === 'Succeeded') return true;
  const { deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata;
  if (deletionTimestamp == null || deletionGracePeriodSeconds === undefined) return false;
  return now > Date.parse(deletionTimestamp) + 1000 * numberAt(pod.metadata, 'deletionGracePeriodSeconds');
}

interface Resources {
  readonly requests: ResourceList;
  readonly limits: ResourceList;
}

/** Adds amounts by the names that quotas have for them. */
function addCompute(
  used: Map<string, Quantity>,
  { requests, limits }: Resources,
  isNative: (name: string) => boolean,
): void {
  used.set('pods', ONE);
  for (const [name, amount] of requests) {
    const compute = COMPUTE.includes(name) || name.startsWith(HUGE_PAGES);
    if (compute) used.set(name, amount);
    if (compute || (!isNative(name) && !name.startsWith(REQUESTS))) used.set(REQUESTS + name, amount);
  }
  for (const [name, amount] of limits) if (COMPUTE.includes(name)) used.set(`limits.${name}`, amount);
}

/** Which containers don't say what they must. */
function unsaid(
  pod: ApiObject,
  demanded: readonly string[],
  isNative: (name: string) => boolean,
): string | undefined {
  const missing = new Map<string, string[]>();
  const spec = objectAt(pod, 'spec');
  for (const container of [...objectsAt(spec, 'containers'), ...objectsAt(spec, 'initContainers')]) {
    const said = new Map<string, Quantity>();
    const requests = containerResources(container, 'requests');
    addCompute(said, { requests, limits: containerResources(container, 'limits') }, isNative);
    for (const name of demanded) {
      if (said.has(name)) continue;
      missing.set(name, [...(missing.get(name) ?? []), textAt(container, 'name')]);
    }
  }
  if (missing.size === 0) return undefined;
  const texts = demanded.flatMap((name) => {
    const containers = missing.get(name);
    return containers === undefined ? [] : [`${name} for: ${containers.sort().join(',')}`];
  });
  return `must specify ${texts.join('; ')}`;
}
