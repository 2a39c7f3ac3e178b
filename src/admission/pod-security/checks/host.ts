import { numberAt, objectAt, objectsAt, textAt } from '../../../meta/fields.ts';
import type { JsonObject } from '../../../meta/object.ts';
import { containersWith, named, quoted, securityOf, setters, sorted, type Rule } from './check.ts';

/** Pods have their own network, processes and memory. */
export const hostNamespaces: Rule = ({ spec }) => {
  const shared = ['hostNetwork', 'hostPID', 'hostIPC'].filter((field) => spec[field] === true);
  if (shared.length === 0) return undefined;
  return { reason: 'host namespaces', detail: shared.map((field) => `${field}=true`).join(', ') };
};

/** They see no folders of the host. */
export const hostPathVolumes: Rule = ({ spec }) => {
  const bad = objectsAt(spec, 'volumes').filter((volume) => objectAt(volume, 'hostPath') !== undefined);
  if (bad.length === 0) return undefined;
  return { reason: 'hostPath volumes', detail: named('volume', bad.map(nameOf)) };
};

/** They use no ports of the host. */
export const hostPorts: Rule = (pod) => {
  const portsOf = (container: JsonObject): number[] =>
    objectsAt(container, 'ports')
      .map((port) => numberAt(port, 'hostPort'))
      .filter((port) => port !== 0);
  const bad = containersWith(pod, (container) => portsOf(container).length > 0);
  if (bad.length === 0) return undefined;
  const ports = sorted(pod.containers.flatMap(portsOf).map(String));
  const list = `hostPort${ports.length === 1 ? '' : 's'} ${ports.join(', ')}`;
  return { reason: 'hostPort', detail: `${named('container', bad)} ${uses(bad)} ${list}` };
};

/** They are no processes of a Windows host. */
export const windowsHostProcess: Rule = (pod) => {
  const isBad = (owner: JsonObject): boolean =>
    objectAt(securityOf(owner), 'windowsOptions')?.['hostProcess'] === true;
  const who = setters(isBad(pod.spec), containersWith(pod, isBad));
  if (who === '') return undefined;
  return {
    reason: 'hostProcess',
    detail: `${who} must not set securityContext.windowsOptions.hostProcess=true`,
  };
};

const VOLUMES: ReadonlySet<string> = new Set([
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
]);

/** Their volumes hold what the cluster gives them, and nothing that a node or a network has. */
export const restrictedVolumes: Rule = ({ spec }) => {
  const bad = objectsAt(spec, 'volumes').filter(
    (volume) => !typesOf(volume).some((type) => VOLUMES.has(type)),
  );
  if (bad.length === 0) return undefined;
  const names = bad.map(nameOf);
  const types = sorted(bad.map((volume) => typesOf(volume)[0] ?? 'unknown'));
  const restricted = `restricted volume type${types.length === 1 ? '' : 's'} ${quoted(types)}`;
  return {
    reason: 'restricted volume types',
    detail: `${named('volume', names)} ${uses(names)} ${restricted}`,
  };
};

function typesOf(volume: JsonObject): string[] {
  return Object.keys(volume).filter((field) => objectAt(volume, field) !== undefined);
}

function nameOf(item: JsonObject): string {
  return textAt(item, 'name');
}

function uses(subjects: readonly string[]): string {
  return subjects.length === 1 ? 'uses' : 'use';
}
