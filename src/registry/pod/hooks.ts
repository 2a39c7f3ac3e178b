import type { ApiObject, JsonObject } from '../../meta/object.ts';
import { isObject, numberAt, objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { NamingProfile } from '../../names/profile.ts';
import type { ResourceHooks, SubresourceHooks } from '../hooks.ts';
import { gatedFields } from './gated-fields.ts';
import { addGatedCondition, alignAppArmor, mergeMatchLabels } from './prepare.ts';
import { qosClass } from './qos.ts';
import type { PodSettings } from './settings.ts';
import { defaultPodSpec } from './template-defaults.ts';

/** Pods: conditional defaults, quality of service, what may change, graceful deletion. */
export function podHooks(names: NamingProfile, settings: PodSettings): ResourceHooks {
  const dropGated = gatedFields(settings);
  const appArmor = names.get('prefix.app-armor-container');
  return {
    defaults: defaultPod,
    keepsStatusOnCreate: true,
    prepareForCreate(pod, { now }) {
      pod.status = { phase: 'Pending', qosClass: qosClass(pod) };
      const spec = objectAt(pod, 'spec');
      if (spec !== undefined) dropGated(spec, undefined);
      addGatedCondition(pod, now);
      if (settings.gate('MatchLabelKeysInPodAffinity')) mergeMatchLabels(pod);
      alignAppArmor(pod, appArmor);
    },
    prepareForUpdate(pod, old) {
      const spec = objectAt(pod, 'spec');
      if (spec !== undefined) dropGated(spec, objectAt(old, 'spec'));
    },
    gracePeriodSeconds,
    selectableField,
    status: statusHooks,
  };
}

function selectableField(pod: JsonObject, path: string): string | undefined {
  switch (path) {
    case 'spec.hostNetwork':
      return String(objectAt(pod, 'spec')?.hostNetwork === true);
    case 'status.podIP':
      return textAt(objectAt(pod, 'status'), 'podIP') || podIPs(pod)[0] || '';
    case 'status.podIPs':
      return podIPs(pod).join(',');
    default:
      return undefined;
  }
}

const statusHooks: SubresourceHooks = {
  prepareForUpdate(pod, old) {
    const { metadata: meta } = pod;
    if (old.metadata.deletionTimestamp === undefined) delete meta.deletionTimestamp;
    if (old.metadata.ownerReferences === undefined) delete meta.ownerReferences;
    else meta.ownerReferences = old.metadata.ownerReferences;
    const status = objectAt(pod, 'status');
    const before = textAt(objectAt(old, 'status'), 'qosClass');
    if (status !== undefined && before !== '' && textAt(status, 'qosClass') === '') status.qosClass = before;
  },
  resetFields: {
    'f:metadata': { 'f:deletionTimestamp': {}, 'f:ownerReferences': {} },
  },
};

function defaultPod(pod: ApiObject): void {
  const spec = objectAt(pod, 'spec');
  defaultPodSpec(spec);
  if (spec === undefined) return;
  const containers = [...objectsAt(spec, 'initContainers'), ...objectsAt(spec, 'containers')];
  for (const container of containers) {
    requestLimits(container);
    if (spec.hostNetwork === true) defaultHostPorts(container);
  }
}

/** What a container may use at most, it asks for, unless it says otherwise. Only pods themselves, not templates. */
function requestLimits(container: JsonObject): void {
  const resources = objectAt(container, 'resources');
  const limits = objectAt(resources, 'limits');
  if (resources === undefined || limits === undefined) return;
  const requests = isObject(resources.requests) ? resources.requests : {};
  for (const [resource, limit] of Object.entries(limits)) {
    if (!Object.hasOwn(requests, resource)) requests[resource] = limit;
  }
  if (Object.keys(requests).length > 0) resources.requests = requests;
}

/** On the host's network a container's port is the host's port. */
function defaultHostPorts(container: JsonObject): void {
  for (const port of objectsAt(container, 'ports')) {
    if (numberAt(port, 'hostPort') === 0 && port.containerPort !== undefined)
      port.hostPort = port.containerPort;
  }
}

/** A pod that isn't bound to a node, or has ended, has nothing that needs time to stop. */
function gracePeriodSeconds(pod: ApiObject, asked: number | undefined): number {
  const spec = objectAt(pod, 'spec');
  const phase = textAt(objectAt(pod, 'status'), 'phase');
  if (textAt(spec, 'nodeName') === '' || phase === 'Failed' || phase === 'Succeeded') return 0;
  const seconds = asked ?? numberAt(spec, 'terminationGracePeriodSeconds');
  return seconds < 0 ? 1 : seconds;
}

function podIPs(pod: JsonObject): string[] {
  return objectsAt(objectAt(pod, 'status'), 'podIPs').map((ip) => textAt(ip, 'ip'));
}
