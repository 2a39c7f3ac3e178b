import type { Json, JsonObject } from '../../meta/object.ts';
import { age, elapsed, name, text, type CellValue } from './cell.ts';
import { numberAt, objectAt, objectsAt, textAt } from '../../meta/fields.ts';

/** What several of a pod's cells are made from. */
interface PodSummary {
  readonly ready: number;
  readonly total: number;
  readonly status: string;
  readonly restarts: number;
  readonly lastRestart: string;
}

const node = text('spec.nodeName', '<none>');
const nominatedNode = text('status.nominatedNodeName', '<none>');

/** A pod's cells: what `kubectl get pods` shows. */
export function podCells(pod: JsonObject, now: number): CellValue[] {
  const summary = summarize(pod);
  return [
    name(pod, now),
    `${summary.ready}/${summary.total}`,
    summary.status,
    restarts(summary, now),
    age(pod, now),
    podIP(pod),
    node(pod, now),
    nominatedNode(pod, now),
    readinessGates(pod),
  ];
}

function restarts(pod: PodSummary, now: number): string {
  const ago = pod.restarts === 0 ? undefined : elapsed(pod.lastRestart, now);
  return ago === undefined ? String(pod.restarts) : `${pod.restarts} (${ago} ago)`;
}

function podIP(pod: JsonObject): string {
  const first = objectsAt(objectAt(pod, 'status'), 'podIPs')[0];
  return textAt(first, 'ip') || '<none>';
}

function readinessGates(pod: JsonObject): string {
  const gates = objectsAt(objectAt(pod, 'spec'), 'readinessGates');
  if (gates.length === 0) return '<none>';
  const conditions = conditionsOf(pod);
  const met = gates.filter((gate) => {
    const condition = conditions.find((c) => c.type === gate.conditionType);
    return condition?.status === 'True';
  });
  return `${met.length}/${gates.length}`;
}

function conditionsOf(pod: JsonObject): JsonObject[] {
  return objectsAt(objectAt(pod, 'status'), 'conditions');
}

function hasCondition(pod: JsonObject, type: string): boolean {
  return conditionsOf(pod).some((c) => c.type === type && c.status === 'True');
}

/** Counts restarts and remembers when the last one was. */
class RestartCounter {
  count = 0;
  last = '';

  add(status: JsonObject): void {
    this.count += numberAt(status, 'restartCount');
    const finished = textAt(objectAt(objectAt(status, 'lastState'), 'terminated'), 'finishedAt');
    if (finished > this.last) this.last = finished;
  }
}

function summarize(pod: JsonObject): PodSummary {
  const status = objectAt(pod, 'status');
  const spec = objectAt(pod, 'spec');
  const sidecars = new Set(
    objectsAt(spec, 'initContainers')
      .filter((c) => c.restartPolicy === 'Always')
      .map((c) => textAt(c, 'name')),
  );
  const total = objectsAt(spec, 'containers').length + sidecars.size;
  const init = summarizeInit(pod, sidecars);
  let reason = init.reason ?? initialReason(pod);
  let counter = init.all;
  let ready = init.ready;
  if (init.reason === undefined || hasCondition(pod, 'Initialized')) {
    counter = init.sidecars;
    const main = summarizeMain(objectsAt(status, 'containerStatuses'), counter);
    ready += main.running;
    reason = main.reason ?? reason;
    if (reason === 'Completed' && main.running > 0)
      reason = hasCondition(pod, 'Ready') ? 'Running' : 'NotReady';
  }
  if (objectAt(pod, 'metadata')?.deletionTimestamp != null) {
    const phase = textAt(status, 'phase');
    if (textAt(status, 'reason') === 'NodeLost') reason = 'Unknown';
    else if (phase !== 'Succeeded' && phase !== 'Failed') reason = 'Terminating';
  }
  return { ready, total, status: reason, restarts: counter.count, lastRestart: counter.last };
}

function initialReason(pod: JsonObject): string {
  const status = objectAt(pod, 'status');
  const gated = conditionsOf(pod).some((c) => c.type === 'PodScheduled' && c.reason === 'SchedulingGated');
  return gated ? 'SchedulingGated' : textAt(status, 'reason') || textAt(status, 'phase');
}

/** How far initialization is; `reason` is set while it isn't over. */
function summarizeInit(pod: JsonObject, sidecarNames: ReadonlySet<string>) {
  const all = new RestartCounter();
  const sidecars = new RestartCounter();
  let ready = 0;
  const statuses = objectsAt(objectAt(pod, 'status'), 'initContainerStatuses');
  const expected = objectsAt(objectAt(pod, 'spec'), 'initContainers').length;
  for (const [i, status] of statuses.entries()) {
    all.add(status);
    const sidecar = sidecarNames.has(textAt(status, 'name'));
    if (sidecar) sidecars.add(status);
    const terminated = objectAt(objectAt(status, 'state'), 'terminated');
    if (terminated !== undefined && numberAt(terminated, 'exitCode') === 0) continue;
    if (sidecar && status.started === true) {
      if (status.ready === true) ready++;
      continue;
    }
    return { all, sidecars, ready, reason: `Init:${initState(status, i, expected)}` };
  }
  return { all, sidecars, ready, reason: undefined };
}

function initState(status: JsonObject, index: number, expected: number): string {
  const state = objectAt(status, 'state');
  const terminated = objectAt(state, 'terminated');
  if (terminated !== undefined) return textAt(terminated, 'reason') || exitReason(terminated);
  const waiting = textAt(objectAt(state, 'waiting'), 'reason');
  return waiting !== '' && waiting !== 'PodInitializing' ? waiting : `${index}/${expected}`;
}

function exitReason(terminated: JsonObject): string {
  const signal = numberAt(terminated, 'signal');
  return signal === 0 ? `ExitCode:${numberAt(terminated, 'exitCode')}` : `Signal:${signal}`;
}

/** The state of the main containers: the first one that has something to tell names the reason. */
function summarizeMain(statuses: readonly JsonObject[], counter: RestartCounter) {
  let reason: string | undefined;
  let running = 0;
  for (const status of [...statuses].reverse()) {
    counter.add(status);
    const state = objectAt(status, 'state');
    const waiting = textAt(objectAt(state, 'waiting'), 'reason');
    const terminated = objectAt(state, 'terminated');
    if (waiting !== '') reason = waiting;
    else if (terminated !== undefined) reason = textAt(terminated, 'reason') || exitReason(terminated);
    else if (status.ready === true && objectAt(state, 'running') !== undefined) running++;
  }
  return { reason, running };
}

/** A finished pod's row is marked as completed. */
export function podRowConditions(pod: JsonObject): JsonObject[] | undefined {
  const phase = objectAt(pod, 'status')?.phase;
  const message: Json | undefined =
    phase === 'Succeeded'
      ? 'The pod ran to its end.'
      : phase === 'Failed'
        ? 'The pod ended with a failure.'
        : undefined;
  if (message === undefined) return undefined;
  return [{ type: 'Completed', status: 'True', reason: phase, message }];
}
