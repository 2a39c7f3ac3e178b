import type { Description, Level } from '../description.ts';
import type { Container, ContainerState, ContainerStatus, Metadata, SeccompProfile } from '../objects.ts';
import { longTime } from '../times.ts';
import { writeResources } from './amounts.ts';
import { writeEnvironment } from './environment.ts';
import { probeText } from './probe.ts';

export interface ContainersOf {
  readonly containers: readonly Container[] | undefined;
  readonly statuses?: readonly ContainerStatus[] | undefined;
  /** Of the pod whose they are; absent for those of a template, which stand a little further in. */
  readonly pod?: Metadata;
}

const PROBES = [
  ['Liveness', 'livenessProbe'],
  ['Readiness', 'readinessProbe'],
  ['Startup', 'startupProbe'],
] as const;

/** Containers under a title. */
export function writeContainers(
  page: Description,
  title: string,
  { containers = [], statuses = [], pod }: ContainersOf,
): void {
  const [space, inset] = pod === undefined ? ['  ', ' '] : ['', ''];
  page.line(`${space}${title}:${containers.length === 0 ? ' <none>' : ''}`);
  for (const container of containers) {
    const status = statuses.find(({ name }) => name === container.name);
    page.line(`${inset}${container.name ?? ''}:`, 1);
    writeImage(page, container, status);
    writePorts(page, container);
    writeSeccompProfile(page, container.securityContext?.seccompProfile, 2);
    writeWords(page, 'Command', container.command);
    writeWords(page, 'Args', container.args);
    if (status !== undefined) writeStatus(page, status);
    writeResources(page, container.resources, 2);
    for (const [label, field] of PROBES) {
      const probe = container[field];
      if (probe !== undefined) page.row(label, probeText(probe), 2);
    }
    writeEnvironment(page, container, pod);
    writeMounts(page, container);
  }
}

/** Of a pod, or of one of its containers. */
export function writeSeccompProfile(
  page: Description,
  profile: SeccompProfile | undefined,
  level: Level,
): void {
  if (profile === undefined) return;
  page.row('SeccompProfile', profile.type ?? '', level);
  if (profile.type !== 'Localhost') return;
  page.row('LocalhostProfile', profile.localhostProfile ?? '', level === 0 ? 0 : level + 1);
}

function writeImage(page: Description, container: Container, status: ContainerStatus | undefined): void {
  if (status !== undefined) page.row('Container ID', status.containerID ?? '', 2);
  page.row('Image', container.image ?? '', 2);
  if (status !== undefined) page.row('Image ID', status.imageID ?? '', 2);
}

function writePorts(page: Description, { ports = [] }: Container): void {
  for (const [label, field] of [
    ['Port', 'containerPort'],
    ['Host Port', 'hostPort'],
  ] as const) {
    const texts = ports.map((port) => `${port[field] ?? 0}/${port.protocol ?? ''}`);
    const text = texts.length === 0 ? '<none>' : texts.join(', ');
    page.row(texts.length > 1 ? `${label}s` : label, text, 2);
  }
}

function writeWords(page: Description, title: string, words: readonly string[] = []): void {
  if (words.length === 0) return;
  page.line(`${title}:`, 2);
  for (const word of words) for (const line of word.split('\n')) page.line(line, 3);
}

function writeStatus(page: Description, status: ContainerStatus): void {
  writeState(page, 'State', status.state);
  if (status.lastState?.terminated !== undefined) writeState(page, 'Last State', status.lastState);
  page.row('Ready', status.ready === true ? 'True' : 'False', 2);
  page.row('Restart Count', status.restartCount ?? 0, 2);
}

function writeState(page: Description, label: string, state: ContainerState = {}): void {
  const { running, waiting, terminated } = state;
  if (running !== undefined) {
    page.row(label, 'Running', 2);
    page.row('Started', longTime(running.startedAt), 3);
  } else if (waiting !== undefined || terminated === undefined) {
    page.row(label, 'Waiting', 2);
    if (waiting?.reason) page.row('Reason', waiting.reason, 3);
  } else {
    page.row(label, 'Terminated', 2);
    if (terminated.reason) page.row('Reason', terminated.reason, 3);
    if (terminated.message) page.row('Message', terminated.message, 3);
    page.row('Exit Code', terminated.exitCode ?? 0, 3);
    if ((terminated.signal ?? 0) > 0) page.row('Signal', terminated.signal ?? 0, 3);
    page.row('Started', longTime(terminated.startedAt), 3);
    page.row('Finished', longTime(terminated.finishedAt), 3);
  }
}

function writeMounts(page: Description, { volumeMounts = [], volumeDevices = [] }: Container): void {
  const none = volumeMounts.length === 0 ? '\t<none>' : '';
  page.line(`Mounts:${none}`, 2);
  const mounts = [...volumeMounts].sort((a, b) => compare(a.mountPath, b.mountPath));
  for (const { name = '', mountPath = '', readOnly, subPath = '' } of mounts) {
    const flags = [
      readOnly === true ? 'ro' : 'rw',
      ...(subPath === '' ? [] : [`path=${JSON.stringify(subPath)}`]),
    ];
    page.line(`${mountPath} from ${name} (${flags.join(',')})`, 3);
  }
  if (volumeDevices.length === 0) return;
  page.line(`Devices:${none}`, 2);
  const devices = [...volumeDevices].sort((a, b) => compare(a.devicePath, b.devicePath));
  for (const { name = '', devicePath = '' } of devices) page.line(`${devicePath} from ${name}`, 3);
}

function compare(a = '', b = ''): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
