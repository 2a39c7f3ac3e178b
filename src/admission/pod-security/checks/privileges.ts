import { objectAt, objectsAt, textAt } from '../../../meta/fields.ts';
import type { JsonObject } from '../../../meta/object.ts';
import { containersWith, named, quoted, securityOf, setters, sorted, type Rule } from './check.ts';

/** Containers are none that may do everything. */
export const privileged: Rule = (pod) => {
  const bad = containersWith(pod, (container) => securityOf(container)?.['privileged'] === true);
  if (bad.length === 0) return undefined;
  return {
    reason: 'privileged',
    detail: `${named('container', bad)} must not set securityContext.privileged=true`,
  };
};

/** They say that they get no more rights than they begin with. */
export const allowPrivilegeEscalation: Rule = (pod) => {
  const bad = containersWith(
    pod,
    (container) => securityOf(container)?.['allowPrivilegeEscalation'] !== false,
  );
  if (bad.length === 0) return undefined;
  return {
    reason: 'allowPrivilegeEscalation != false',
    detail: `${named('container', bad)} must set securityContext.allowPrivilegeEscalation=false`,
  };
};

const DEFAULT_CAPABILITIES: ReadonlySet<string> = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);

/** They add no rights that containers don't have anyhow. */
export const defaultCapabilities: Rule = (pod) => {
  const detail = addedBesides(DEFAULT_CAPABILITIES)(pod);
  return detail === undefined ? undefined : { reason: 'non-default capabilities', detail };
};

const MAY_ADD: ReadonlySet<string> = new Set(['NET_BIND_SERVICE']);

/** They give all rights away, and add one at most. */
export const noCapabilities: Rule = (pod) => {
  const keeps = containersWith(pod, (container) => !capabilities(container, 'drop').includes('ALL'));
  const details =
    keeps.length === 0
      ? []
      : [`${named('container', keeps)} must set securityContext.capabilities.drop=["ALL"]`];
  const added = addedBesides(MAY_ADD)(pod);
  if (added !== undefined) details.push(added);
  return details.length === 0
    ? undefined
    : { reason: 'unrestricted capabilities', detail: details.join('; ') };
};

function addedBesides(allowed: ReadonlySet<string>): (pod: Parameters<Rule>[0]) => string | undefined {
  const tooMuch = (container: JsonObject): string[] =>
    capabilities(container, 'add').filter((capability) => !allowed.has(capability));
  return (pod) => {
    const bad = containersWith(pod, (container) => tooMuch(container).length > 0);
    if (bad.length === 0) return undefined;
    const list = quoted(sorted(pod.containers.flatMap(tooMuch)));
    return `${named('container', bad)} must not include ${list} in securityContext.capabilities.add`;
  };
}

function capabilities(container: JsonObject, field: 'add' | 'drop'): string[] {
  const list = objectAt(securityOf(container), 'capabilities')?.[field];
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
}

/** They hide of /proc what is usually hidden. */
export const procMount: Rule = (pod) => {
  const mountOf = (container: JsonObject): string => textAt(securityOf(container), 'procMount');
  const isBad = (container: JsonObject): boolean => !['', 'Default'].includes(mountOf(container));
  const bad = containersWith(pod, isBad);
  if (bad.length === 0) return undefined;
  const types = quoted(sorted(pod.containers.filter(isBad).map(mountOf)));
  return {
    reason: 'procMount',
    detail: `${named('container', bad)} must not set securityContext.procMount to ${types}`,
  };
};

/** They say that they don't run as root, or their pod does. */
export const runAsNonRoot: Rule = (pod) => {
  const reason = 'runAsNonRoot != true';
  const said = (owner: JsonObject): boolean | undefined => {
    const value = securityOf(owner)?.['runAsNonRoot'];
    return typeof value === 'boolean' ? value : undefined;
  };
  const ofPod = said(pod.spec);
  const who = setters(
    ofPod === false,
    containersWith(pod, (container) => said(container) === false),
  );
  if (who !== '') return { reason, detail: `${who} must not set securityContext.runAsNonRoot=false` };
  if (ofPod === true) return undefined;
  const silent = containersWith(pod, (container) => said(container) === undefined);
  if (silent.length === 0) return undefined;
  return {
    reason,
    detail: `pod or ${named('container', silent)} must set securityContext.runAsNonRoot=true`,
  };
};

/** They don't name root as the user that they run as. */
export const runAsUser: Rule = (pod) => {
  const isRoot = (owner: JsonObject): boolean => securityOf(owner)?.['runAsUser'] === 0;
  const who = setters(isRoot(pod.spec), containersWith(pod, isRoot));
  return who === '' ? undefined : { reason: 'runAsUser=0', detail: `${who} must not set runAsUser=0` };
};

/** Pods set no parameters of the kernel but those that don't reach beyond them. */
export function sysctls(allowed: ReadonlySet<string>): Rule {
  return ({ spec }) => {
    const bad = objectsAt(securityOf(spec), 'sysctls')
      .map((sysctl) => textAt(sysctl, 'name'))
      .filter((name) => !allowed.has(name));
    return bad.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: bad.join(', ') };
  };
}
