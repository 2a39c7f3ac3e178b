import type { NamingProfile } from '../../../names/profile.ts';
import type { TypeChecks } from '../../../schema/rules/rule-book.ts';
import { resourceNames } from '../../resource-names.ts';
import type { PodSettings } from '../settings.ts';
import { affinityChecks } from './affinity.ts';
import { podAnnotations } from './annotations.ts';
import { envVarCheck } from './env.ts';
import { httpGetCheck } from './handlers.ts';
import { podCheck, podTemplateCheck } from './pod.ts';
import { podSpecCheck } from './pod-spec.ts';
import { resourcesCheck } from './resources.ts';
import { spreadCheck, tolerationCheck } from './scheduling.ts';
import { appArmorProfileCheck, seccompProfileCheck, securityContextCheck } from './security.ts';
import { volumeChecks } from './volumes.ts';
import { windowsOptionsCheck } from './windows.ts';

/** The rules of pods and all that is in them that data can't say. */
export function podChecks(names: NamingProfile, settings: PodSettings): TypeChecks {
  const { allowsPrivileged, gate } = settings;
  const annotations = podAnnotations(names);
  const known = resourceNames(names.get('prefix.resource'));
  const allowsNoSleep = gate('PodLifecycleSleepActionAllowZero');
  return {
    ...affinityChecks,
    ...volumeChecks([...new Set([names.get('domain.labels'), names.get('domain.groups')])]),
    'core.AppArmorProfile': appArmorProfileCheck,
    'core.EnvVar': envVarCheck,
    'core.HTTPGetAction': httpGetCheck,
    'core.Pod': podCheck(annotations),
    'core.PodSpec': podSpecCheck({ resourceNames: known, allowsPrivileged, allowsNoSleep }),
    'core.PodTemplateSpec': podTemplateCheck(annotations),
    'core.ResourceRequirements': resourcesCheck(known),
    'core.SeccompProfile': seccompProfileCheck,
    'core.SecurityContext': securityContextCheck(allowsPrivileged),
    'core.Toleration': tolerationCheck,
    'core.TopologySpreadConstraint': spreadCheck,
    'core.WindowsSecurityContextOptions': windowsOptionsCheck,
  };
}
