import { objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { ApiObject } from '../../meta/object.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { containerResources, podResources } from '../pod-resources.ts';
import { only } from '../only.ts';
import { refused } from '../refused.ts';
import { readResources } from '../../meta/resource-list.ts';
import { problems } from './constraints.ts';
import { setDefaults } from './defaults.ts';
import type { Limit, LimitRange } from './limit-range.ts';

export interface LimitRangerDependencies {
  /** The LimitRanges of a namespace. */
  readonly listRanges: (namespace: string, signal: AbortSignal) => Promise<readonly LimitRange[]>;
  /** The annotation that tells what was set. */
  readonly annotation: string;
}

/** Gives containers the resources that the namespace's LimitRanges name, and holds pods and claims to their bounds. */
export function limitRanger({ listRanges, annotation }: LimitRangerDependencies): AdmissionPlugin {
  return {
    name: 'LimitRanger',
    operations: ['CREATE', 'UPDATE'],
    concerns: only('pods', 'persistentvolumeclaims'),
    async mutate(request) {
      const { object, namespace, signal } = request;
      if (object === undefined || limitedKind(request) !== 'pods') return;
      for (const range of await listRanges(namespace, signal)) {
        const said = setDefaults(object, range);
        if (said === '') continue;
        object.metadata.annotations = {
          ...object.metadata.annotations,
          [annotation]: `LimitRanger plugin set: ${said}`,
        };
      }
    },
    async validate(request) {
      const { object, namespace, signal } = request;
      const kind = limitedKind(request);
      if (object === undefined || kind === undefined) return;
      const check = kind === 'pods' ? podProblems : claimProblems;
      for (const range of await listRanges(namespace, signal)) {
        const found = range.flatMap((limit) => check(limit, object));
        if (found.length > 0) throw refused(request, found.join('; '));
      }
    },
  };
}

/**
 * What a request is limited in, if in anything: new pods and claims, claims that grow, and pods whose resources change.
 * What is about to go away is left alone.
 */
function limitedKind(request: AdmissionRequest): 'pods' | 'persistentvolumeclaims' | undefined {
  const { resource, subresource, operation, oldObject } = request;
  if (resource.group !== '' || oldObject?.metadata.deletionTimestamp != null) return undefined;
  if (resource.resource === 'pods') {
    const limited = operation === 'CREATE' ? subresource === '' : subresource === 'resize';
    return limited ? 'pods' : undefined;
  }
  return resource.resource === 'persistentvolumeclaims' && subresource === '' ? resource.resource : undefined;
}

function podProblems(limit: Limit, pod: ApiObject): string[] {
  const spec = objectAt(pod, 'spec');
  if (limit.type === 'Pod') {
    const usage = { requests: podResources(spec, 'requests'), limits: podResources(spec, 'limits') };
    return problems(limit, usage, 'the pod');
  }
  if (limit.type !== 'Container') return [];
  const ofContainers = (field: string, what: string): string[] =>
    objectsAt(spec, field).flatMap((container) => {
      const usage = {
        requests: containerResources(container, 'requests'),
        limits: containerResources(container, 'limits'),
      };
      return problems(limit, usage, `${what} ${textAt(container, 'name')}`);
    });
  return [...ofContainers('containers', 'container'), ...ofContainers('initContainers', 'init container')];
}

/** Claims have nothing but requests. */
function claimProblems(limit: Limit, claim: ApiObject): string[] {
  if (limit.type !== 'PersistentVolumeClaim') return [];
  const requests = readResources(objectAt(objectAt(claim, 'spec'), 'resources'), 'requests');
  return problems(limit, { requests }, 'the claim');
}
