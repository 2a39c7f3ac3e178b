import type { AdmissionPlugin } from '../admission/admission.ts';
import { alwaysPullImages } from '../admission/always-pull-images/plugin.ts';
import { alwaysAdmit, alwaysDeny } from '../admission/always/plugins.ts';
import { denyServiceExternalIPs } from '../admission/deny-service-external-ips/plugin.ts';
import { eventRateLimit } from '../admission/event-rate-limit/plugin.ts';
import { extendedResourceToleration } from '../admission/extended-resource-toleration/plugin.ts';
import { limitPodHardAntiAffinityTopology } from '../admission/limit-pod-hard-anti-affinity-topology/plugin.ts';
import type { NamespaceAnnotations } from '../admission/namespace-annotations.ts';
import {
  namespaceAutoProvision,
  namespaceExists,
  type HasNamespace,
} from '../admission/namespace-exists/plugins.ts';
import { ownerReferencesPermissionEnforcement } from '../admission/owner-references/plugin.ts';
import { podNodeSelector } from '../admission/pod-node-selector/plugin.ts';
import { isBestEffort } from '../admission/pod-resources.ts';
import { podTolerationRestriction } from '../admission/pod-toleration-restriction/plugin.ts';
import { ApiError } from '../errors/api-error.ts';
import { notFoundError } from '../errors/status-errors.ts';
import { parseGroupVersion } from '../meta/object.ts';
import { resourceNames } from '../registry/resource-names.ts';
import { resourceInfo } from '../request/request-info.ts';
import { imagePolicyOf } from './admission-image-policy.ts';
import type { AdmissionParts } from './admission-parts.ts';
import type { AdmissionReads } from './admission-reads.ts';

/** The plugins that run only where they are asked for. */
export function optionalPlugins(parts: AdmissionParts, reads: AdmissionReads): readonly AdmissionPlugin[] {
  const { names, clock, admissionSettings } = parts;
  const { eventLimits, nodeSelectors, tolerations } = admissionSettings;
  const resources = resourceNames(names.get('prefix.resource'));
  const annotationsOf = namespaceAnnotations(parts, reads);
  return [
    alwaysAdmit(),
    alwaysDeny(),
    alwaysPullImages(),
    denyServiceExternalIPs(),
    eventRateLimit({ limits: eventLimits, group: names.get('group.events'), clock }),
    extendedResourceToleration((name) => resources.isExtended(name)),
    limitPodHardAntiAffinityTopology(names.get('label.hostname')),
    ...imagePolicyOf(parts),
    ...namespacePlugins(parts, reads),
    ownerReferences(parts),
    podNodeSelector({ annotationsOf, annotation: names.get('annotation.node-selector'), ...nodeSelectors }),
    podTolerationRestriction({
      annotationsOf,
      annotations: {
        byDefault: names.get('annotation.default-tolerations'),
        allowed: names.get('annotation.tolerations-whitelist'),
      },
      ...tolerations,
      memoryPressure: names.get('taint.memory-pressure'),
      isBestEffort,
    }),
  ];
}

function namespaceAnnotations({ schemas }: AdmissionParts, reads: AdmissionReads): NamespaceAnnotations {
  return async ({ namespace, signal }) => {
    const resource = schemas.resource('', 'v1', 'namespaces');
    const found = await reads.namespaceAnnotations(resource, namespace, signal);
    if (found !== undefined) return found;
    throw notFoundError({ group: '', resource: 'namespaces' }, namespace);
  };
}

function namespacePlugins(
  { schemas, server }: AdmissionParts,
  reads: AdmissionReads,
): readonly AdmissionPlugin[] {
  const resource = schemas.resource('', 'v1', 'namespaces');
  const hasNamespace: HasNamespace = async (name, freshness, signal) =>
    (await reads.namespace(resource, name, { freshness, signal })) !== undefined;
  const create = async (name: string, signal: AbortSignal): Promise<void> => {
    if (resource === undefined) return;
    try {
      await server().create(
        resource,
        { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
        { signal },
      );
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason !== 'AlreadyExists') throw error;
    }
  };
  return [namespaceExists(hasNamespace), namespaceAutoProvision(hasNamespace, create)];
}

function ownerReferences({ schemas, authorize }: AdmissionParts): AdmissionPlugin {
  return ownerReferencesPermissionEnforcement({
    async mayDo({ user }, access) {
      const { verdict } = await authorize({ user, info: resourceInfo(access) });
      return verdict === 'allow';
    },
    resourceOf(apiVersion, kind) {
      const parsed = parseGroupVersion(apiVersion);
      return parsed && schemas.resourceForKind(parsed.group, parsed.version, kind);
    },
  });
}
