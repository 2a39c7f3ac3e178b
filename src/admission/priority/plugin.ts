import { objectAt, textAt } from '../../meta/fields.ts';
import type { JsonObject } from '../../meta/object.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { refused } from '../refused.ts';

/** A PriorityClass, as far as pods are concerned. */
export interface PriorityClass {
  readonly name: string;
  readonly value: number;
  readonly globalDefault: boolean;
  /** '' for the default. */
  readonly preemptionPolicy: string;
}

export interface PriorityDependencies {
  /** All classes there are; `cached`: as of a moment ago. */
  readonly listClasses: (
    freshness: 'cached' | 'live',
    signal: AbortSignal,
  ) => Promise<readonly PriorityClass[]>;
  /** The group of PriorityClasses. */
  readonly group: string;
}

/** What pods get where no class is the default. */
const NO_CLASS: PriorityClass = {
  name: '',
  value: 0,
  globalDefault: true,
  preemptionPolicy: 'PreemptLowerPriority',
};

/** Gives pods the priority of their class, or of the default one, and keeps it; lets one class be the default. */
export function priority(dependencies: PriorityDependencies): AdmissionPlugin {
  return {
    name: 'Priority',
    operations: ['CREATE', 'UPDATE'],
    async mutate(request) {
      const { resource, subresource, operation } = request;
      if (resource.group !== '' || resource.resource !== 'pods' || subresource !== '') return;
      const spec = objectAt(request.object, 'spec');
      if (spec === undefined) return;
      if (operation === 'UPDATE') keepPriority(spec, objectAt(request.oldObject, 'spec'));
      else setPriority(request, spec, await classOf(request, spec, dependencies));
    },
    async validate(request) {
      const { resource, subresource } = request;
      if (resource.group !== dependencies.group || resource.resource !== 'priorityclasses') return;
      if (subresource === '' && request.object?.['globalDefault'] === true)
        await requireOnlyDefault(request, dependencies);
    },
  };
}

/** An update that leaves out what admission had set doesn't take it away. */
function keepPriority(spec: JsonObject, old: JsonObject | undefined): void {
  for (const field of ['priority', 'preemptionPolicy']) {
    const value = old?.[field];
    if (spec[field] === undefined && value !== undefined) spec[field] = value;
  }
}

async function classOf(
  request: AdmissionRequest,
  spec: JsonObject,
  { listClasses }: PriorityDependencies,
): Promise<PriorityClass> {
  const name = textAt(spec, 'priorityClassName');
  const cached = await listClasses('cached', request.signal);
  if (name === '') return defaultOf(cached) ?? NO_CLASS;
  const named = (classes: readonly PriorityClass[]): PriorityClass | undefined =>
    classes.find((one) => one.name === name);
  const found = named(cached) ?? named(await listClasses('live', request.signal));
  if (found === undefined) throw refused(request, `no PriorityClass with name ${name} was found`);
  return found;
}

/** Of several defaults, which only a race can make, the one with the lowest value. */
function defaultOf(classes: readonly PriorityClass[]): PriorityClass | undefined {
  let lowest: PriorityClass | undefined;
  for (const one of classes) {
    if (one.globalDefault && (lowest === undefined || one.value < lowest.value)) lowest = one;
  }
  return lowest;
}

/** @throws ApiError 403 for a pod that says something else than its class. */
function setPriority(
  request: AdmissionRequest,
  spec: JsonObject,
  { name, value, preemptionPolicy: policy }: PriorityClass,
): void {
  const given = spec['priority'];
  if (given !== undefined && given !== null && given !== value) {
    throw refused(request, `a pod does not set its priority: that of its PriorityClass is ${value}`);
  }
  const givenPolicy = spec['preemptionPolicy'] ?? policy;
  if (policy !== '' && givenPolicy !== policy) {
    throw refused(request, `a pod does not set its preemptionPolicy: that of its PriorityClass is ${policy}`);
  }
  if (name !== '') spec['priorityClassName'] = name;
  spec['priority'] = value;
  if (policy !== '') spec['preemptionPolicy'] = policy;
}

/** @throws ApiError 403 where another class is the default. */
async function requireOnlyDefault(
  request: AdmissionRequest,
  { listClasses }: PriorityDependencies,
): Promise<void> {
  const other = defaultOf(await listClasses('live', request.signal));
  if (other === undefined || (request.operation === 'UPDATE' && other.name === request.name)) return;
  throw refused(
    request,
    `PriorityClass ${other.name} is already marked as default. Only one default can exist`,
  );
}
