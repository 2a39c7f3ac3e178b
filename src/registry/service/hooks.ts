import type { ApiObject, JsonObject } from '../../meta/object.ts';
import { numberAt, objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { NamingProfile } from '../../names/profile.ts';
import type { ResourceHooks } from '../hooks.ts';
import type { ServicePools } from './pools.ts';
import { dropWhatTheTypeMeant } from './prepare.ts';
import { serviceReservations } from './reserve.ts';
import { isOpenOutside } from './spec.ts';
import { serviceChangeErrors } from './validate-change.ts';
import { serviceErrors, serviceStatusErrors } from './validate.ts';
import { serviceWarnings } from './warnings.ts';

const CLIENT_IP_SECONDS = 10_800;

/** What services need of the rest of the server. */
export interface ServiceParts {
  readonly pools: ServicePools;
  /** Deletes the endpoints of a service that is gone. Doesn't fail. */
  readonly deleteEndpoints: (place: { readonly namespace: string; readonly name: string }) => Promise<void>;
}

/** Services. @param parts absent: they get no addresses. */
export function serviceHooks(names: NamingProfile, parts?: ServiceParts): ResourceHooks {
  const rules = { errors: serviceErrors(names), warnings: serviceWarnings(names) };
  return {
    defaults: serviceDefaults,
    ...(parts === undefined ? {} : allocation(parts)),
    prepareForUpdate: dropWhatTheTypeMeant,
    validate: rules.errors,
    validateUpdate: serviceChangeErrors,
    warnings: rules.warnings,
    status: { prepareForUpdate: () => undefined, validateUpdate: serviceStatusErrors },
  };
}

function allocation({ pools, deleteEndpoints }: ServiceParts): Pick<ResourceHooks, 'reserve' | 'release'> {
  const { reserve, release } = serviceReservations(pools);
  return {
    reserve,
    async release(service) {
      const { namespace = '', name = '' } = service.metadata;
      // A service that takes the name next must not begin with these.
      await deleteEndpoints({ namespace, name });
      await release(service);
    },
  };
}

/** Defaults that follow from the type. */
function serviceDefaults(service: ApiObject): void {
  const spec = objectAt(service, 'spec');
  if (spec === undefined) return;
  defaultAffinity(spec);
  for (const port of objectsAt(spec, 'ports')) defaultTargetPort(port);
  defaultTrafficPolicies(spec);
  if (spec.type === 'LoadBalancer') defaultIPModes(service);
}

function defaultAffinity(spec: JsonObject): void {
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity !== 'ClientIP') return;
  const clientIP = objectAt(objectAt(spec, 'sessionAffinityConfig'), 'clientIP');
  if (clientIP?.timeoutSeconds === undefined) {
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: CLIENT_IP_SECONDS } };
  }
}

function defaultTargetPort(port: JsonObject): void {
  const target = port.targetPort;
  if (target === undefined || target === null || target === 0 || target === '') {
    port.targetPort = numberAt(port, 'port');
  }
}

function defaultTrafficPolicies(spec: JsonObject): void {
  const type = textAt(spec, 'type');
  if (isOpenOutside(spec) && textAt(spec, 'externalTrafficPolicy') === '') {
    spec.externalTrafficPolicy = 'Cluster';
  }
  if (type !== 'ExternalName') spec.internalTrafficPolicy ??= 'Cluster';
  else if (spec.internalTrafficPolicy !== undefined) delete spec.internalTrafficPolicy;
  if (type === 'LoadBalancer') spec.allocateLoadBalancerNodePorts ??= true;
}

function defaultIPModes(service: ApiObject): void {
  const ingress = objectsAt(objectAt(objectAt(service, 'status'), 'loadBalancer'), 'ingress');
  for (const address of ingress) if (textAt(address, 'ip') !== '') address.ipMode ??= 'VIP';
}
