import { defineDescriber } from '../describer.ts';
import type { Description } from '../description.ts';
import { subjectOf } from '../events.ts';
import type { Pod } from '../objects.ts';
import { writeResources } from '../parts/amounts.ts';
import { writeConditions } from '../parts/conditions.ts';
import { writeContainers, writeSeccompProfile } from '../parts/containers.ts';
import { controllerOf, writeLabels, writePairs } from '../parts/metadata.ts';
import { writeSpread, writeTolerations } from '../parts/pod-template.ts';
import { writeVolumes } from '../parts/volumes.ts';
import { longTime, since } from '../times.ts';
import type { World } from '../world.ts';

export const pod = defineDescriber<Pod>({
  write(page, object, world) {
    writePlace(page, object);
    writeLabels(page, object.metadata, world);
    writeState(page, object, world);
    writeAllContainers(page, object);
    writeGates(page, object);
    const { spec = {}, status = {} } = object;
    writeConditions(page, status.conditions, { columns: ['type', 'status'], spaced: 2, ruled: false });
    writeVolumes(page, spec.volumes, { world, inTemplate: false });
    page.row('QoS Class', status.qosClass ?? '');
    writePairs(page, 'Node-Selectors', spec.nodeSelector);
    writeTolerations(page, 'Tolerations', spec.tolerations);
    writeSpread(page, spec.topologySpreadConstraints, '');
  },
  /** Events name the pods that a kubelet read from its own files by another uid. */
  subjects(object, { names }) {
    const mirrored = object.metadata.annotations?.[names.get('annotation.config-mirror')];
    const subject = subjectOf(object);
    return [{ ...subject, kind: undefined, uid: mirrored ?? subject.uid }];
  },
});

function writePlace(page: Description, { metadata, spec = {}, status = {} }: Pod): void {
  page.row('Name', metadata.name ?? '');
  page.row('Namespace', metadata.namespace ?? '');
  if (spec.priority !== undefined) page.row('Priority', spec.priority);
  if (spec.priorityClassName) page.row('Priority Class Name', spec.priorityClassName);
  if (spec.runtimeClassName) page.row('Runtime Class Name', spec.runtimeClassName);
  if (spec.serviceAccountName) page.row('Service Account', spec.serviceAccountName);
  page.row('Node', spec.nodeName ? `${spec.nodeName}/${status.hostIP ?? ''}` : '<none>');
  if (status.startTime) page.row('Start Time', longTime(status.startTime));
}

function writeState(page: Description, { metadata, spec = {}, status = {} }: Pod, { now }: World): void {
  const ended = status.phase === 'Failed' || status.phase === 'Succeeded';
  if (metadata.deletionTimestamp && !ended) {
    page.row('Status', `Terminating (lasts ${since(metadata.deletionTimestamp, now)})`);
    page.row('Termination Grace Period', `${metadata.deletionGracePeriodSeconds ?? 0}s`);
  } else page.row('Status', status.phase ?? '');
  if (status.reason) page.row('Reason', status.reason);
  if (status.message) page.row('Message', status.message);
  writeSeccompProfile(page, spec.securityContext?.seccompProfile, 0);
  page.row('IP', status.podIP ?? '');
  const addresses = status.podIPs ?? [];
  page.line(addresses.length === 0 ? 'IPs:\t<none>' : 'IPs:');
  for (const { ip = '' } of addresses) page.row('IP', ip, 1);
  const controller = controllerOf(metadata);
  if (controller !== undefined) page.row('Controlled By', controller);
  if (status.nominatedNodeName) page.row('NominatedNodeName', status.nominatedNodeName);
}

function writeAllContainers(page: Description, { metadata, spec = {}, status = {} }: Pod): void {
  if (spec.resources !== undefined) {
    page.line('Resources:');
    writeResources(page, spec.resources, 1);
  }
  const lists = [
    ['Init Containers', spec.initContainers, status.initContainerStatuses],
    ['Containers', spec.containers ?? [], status.containerStatuses],
    ['Ephemeral Containers', spec.ephemeralContainers, status.ephemeralContainerStatuses],
  ] as const;
  for (const [title, containers = [], statuses] of lists) {
    if (containers.length === 0 && title !== 'Containers') continue;
    writeContainers(page, title, { containers, statuses, pod: metadata });
  }
}

function writeGates(page: Description, { spec = {}, status = {} }: Pod): void {
  const { readinessGates = [] } = spec;
  if (readinessGates.length === 0) return;
  page.line('Readiness Gates:');
  page.line('Type\tStatus', 1);
  for (const { conditionType = '' } of readinessGates) {
    const condition = status.conditions?.find(({ type }) => type === conditionType);
    page.line(`${conditionType} \t${condition?.status ?? '<none>'} `, 1);
  }
}
