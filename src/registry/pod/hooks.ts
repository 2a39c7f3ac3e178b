import type { FieldError } from '../../errors/field-error.ts';
import { FieldPath } from '../../errors/field-path.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import { isObject, numberAt, objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { NamingProfile } from '../../names/profile.ts';
import type { ResourceHooks, SubresourceHooks } from '../hooks.ts';
import { oldNodeLabels } from '../old-node-labels.ts';
import { agreeOnAddresses } from './addresses.ts';
import { bindPod } from './binding.ts';
import { ephemeralContainersErrors } from './ephemeral-containers.ts';
import { evictPod } from './eviction.ts';
import { gatedFields } from './gated-fields.ts';
import { addGatedCondition, alignAppArmor, mergeMatchLabels } from './prepare.ts';
import { qosClass } from './qos.ts';
import { defaultResizePolicies, isProposal, resizedSpec, resizeErrors } from './resize.ts';
import type { PodSettings } from './settings.ts';
import { podStatusErrors } from './status-update.ts';
import { defaultPodSpec } from './template-defaults.ts';
import { podUpdateErrors } from './update.ts';
import { podAnnotations } from './validate/annotations.ts';
import { appArmorWarning } from './warnings/containers.ts';
import { nameWarnings, podWarnings } from './warnings/warnings.ts';

const ANNOTATIONS = FieldPath.ROOT.child('metadata').child('annotations');

/** Bindings, which are POSTed beside pods, too. */
export const bindingHooks: ResourceHooks = { createdAs: { resource: 'pods', part: 'binding' } };

/** Pods: conditional defaults, quality of service, what may change, graceful deletion. */
export function podHooks(names: NamingProfile, settings: PodSettings): ResourceHooks {
  const dropGated = gatedFields(settings);
  const appArmor = names.get('prefix.app-armor-container');
  const mirror = names.get('annotation.config-mirror');
  const annotations = podAnnotations(names);
  const warningsOf = podWarnings(names, oldNodeLabels(names));
  const changedAnnotations = (pod: ApiObject, old: ApiObject): FieldError[] => {
    const errors: FieldError[] = [];
    annotations.checkChange(
      pod.metadata.annotations ?? {},
      old.metadata.annotations ?? {},
      ANNOTATIONS,
      errors,
    );
    return errors;
  };
  return {
    defaults: settings.gate('InPlacePodVerticalScaling') ? defaultResizablePod : defaultPod,
    keepsStatusOnCreate: true,
    prepareForCreate(pod, { now, warn }) {
      pod.status = { phase: 'Pending', qosClass: qosClass(pod) };
      const spec = objectAt(pod, 'spec');
      if (spec !== undefined) dropGated(spec, undefined);
      addGatedCondition(pod, now);
      if (settings.gate('MatchLabelKeysInPodAffinity')) mergeMatchLabels(pod);
      for (const key of alignAppArmor(pod, appArmor)) warn?.(appArmorWarning(key, ANNOTATIONS));
    },
    prepareForUpdate(pod, old) {
      const spec = objectAt(pod, 'spec');
      if (spec !== undefined) dropGated(spec, objectAt(old, 'spec'));
    },
    validateUpdate: (pod, old) => [...changedAnnotations(pod, old), ...podUpdateErrors(pod, old)],
    warnings: (pod, old) =>
      old === undefined ? [...nameWarnings(pod), ...warningsOf(pod, FieldPath.ROOT)] : [],
    gracePeriodSeconds,
    selectableField,
    status: {
      ...statusHooks,
      validateUpdate: (pod, old) => [...changedAnnotations(pod, old), ...podStatusErrors(pod, old)],
    },
    creates: { binding: bindPod, eviction: evictPod },
    subresources: {
      ephemeralcontainers: {
        prepareForUpdate(pod, old) {
          keepAllButEphemeral(pod, old);
          const spec = objectAt(pod, 'spec');
          if (spec !== undefined) dropGated(spec, objectAt(old, 'spec'));
        },
        rulesOfAll: true,
        validateUpdate: (pod, old) => ephemeralContainersErrors(pod, old, mirror),
      },
      resize: {
        prepareForUpdate(pod, old) {
          const spec = resizedSpec(pod, old);
          keepAllButIdentity(pod, old);
          pod.spec = spec;
          if (isProposal(pod, old)) pod.status = { ...objectAt(old, 'status'), resize: 'Proposed' };
          dropGated(spec, objectAt(old, 'spec'));
        },
        rulesOfAll: true,
        validateUpdate: (pod, old) => resizeErrors(pod, old, mirror),
      },
    },
  };
}

/** Everything is as it was, apart from what tells which pod is meant. */
function keepAllButIdentity(pod: ApiObject, old: ApiObject): void {
  const { name, namespace, resourceVersion, uid } = pod.metadata;
  Object.assign(pod, old);
  pod.metadata = { ...old.metadata };
  Object.assign(pod.metadata, { name, namespace, resourceVersion, uid });
}

/** Everything is as it was, apart from the containers that are added and what tells which pod is meant. */
function keepAllButEphemeral(pod: ApiObject, old: ApiObject): void {
  const added = objectAt(pod, 'spec')?.['ephemeralContainers'];
  keepAllButIdentity(pod, old);
  const spec = { ...objectAt(old, 'spec') };
  if (added === undefined) delete spec['ephemeralContainers'];
  else spec['ephemeralContainers'] = added;
  pod.spec = spec;
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
  agreeOnAddresses(pod);
  const spec = objectAt(pod, 'spec');
  defaultPodSpec(spec);
  if (spec === undefined) return;
  // Whatever is negative means "at once, but in order"; templates keep what they were given.
  if (numberAt(spec, 'terminationGracePeriodSeconds') < 0) spec.terminationGracePeriodSeconds = 1;
  const containers = [...objectsAt(spec, 'initContainers'), ...objectsAt(spec, 'containers')];
  for (const container of containers) {
    requestLimits(container);
    if (spec.hostNetwork === true) defaultHostPorts(container);
  }
}

function defaultResizablePod(pod: ApiObject): void {
  defaultPod(pod);
  objectsAt(objectAt(pod, 'spec'), 'containers').forEach(defaultResizePolicies);
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
