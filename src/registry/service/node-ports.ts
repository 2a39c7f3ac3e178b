import { invalid } from '../../errors/field-error.ts';
import { internalError, invalidError } from '../../errors/status-errors.ts';
import { numberAt } from '../../meta/fields.ts';
import type { JsonObject } from '../../meta/object.ts';
import { claim, leave, type Lots, type PortPool } from './pools.ts';
import { isOpenOnNodes, needsHealthCheck, nodePortsOf, portsOf, takesNodePorts } from './spec.ts';

/** How ports on nodes are given to one service. */
export interface PortWork {
  readonly ports: PortPool;
  /** Of the service, for errors. */
  readonly name: string;
  readonly lots: Lots;
  readonly dryRun: boolean;
}

/** A port that is needed, by whom: those who ask for the same one get the same one. */
interface Need {
  /** Undefined: any. */
  readonly wanted: number | undefined;
  /** In the list of ports; undefined: for the health check. */
  readonly at: number | undefined;
  readonly receivers: JsonObject[];
}

/** Gives a new service its ports on nodes. @throws ApiError 422, 500. */
export async function givePorts(work: PortWork, spec: JsonObject): Promise<void> {
  const needs = isOpenOnNodes(spec) ? needsOf(spec) : [];
  if (needsHealthCheck(spec)) needs.push(healthCheckNeed(spec));
  await give(work, needs);
}

/** Gives a changed service the ports that it needs now, and notes those that it leaves. @throws ApiError 422, 500. */
export async function changePorts(work: PortWork, spec: JsonObject, old: JsonObject): Promise<void> {
  const before = nodePortsOf(old);
  const needs = isOpenOnNodes(spec) ? newNeeds(spec, before) : [];
  const checked = needsHealthCheck(old);
  if (needsHealthCheck(spec) && !checked) needs.push(healthCheckNeed(spec));
  await give(work, needs);
  const now = isOpenOnNodes(spec) ? nodePortsOf(spec) : [];
  const left = isOpenOnNodes(old) ? before.filter((port) => !now.includes(port)) : [];
  if (checked && !needsHealthCheck(spec)) left.push(numberAt(old, 'healthCheckNodePort'));
  leavePorts(work, left);
}

/** Notes that ports are free once the write is done. */
export function leavePorts({ ports, lots }: Pick<PortWork, 'ports' | 'lots'>, left: readonly number[]): void {
  const { range, pool } = ports;
  const indexes = left.map((port) => port - range.first);
  leave(
    lots,
    pool,
    indexes.filter((index) => index >= 0 && index < range.size),
  );
}

/** All the ports on nodes that a service has. */
export function allNodePorts(spec: JsonObject): number[] {
  const check = needsHealthCheck(spec) ? numberAt(spec, 'healthCheckNodePort') : 0;
  return check === 0 ? nodePortsOf(spec) : [...nodePortsOf(spec), check];
}

/** Of a new service: the same port in two protocols has one port on nodes. */
function needsOf(spec: JsonObject): Need[] {
  const needs: Need[] = [];
  const byPort = new Map<number, Need>();
  const ports = portsOf(spec);
  for (const [at, port] of ports.entries()) {
    const asked = numberAt(port, 'nodePort');
    if (asked === 0 && !takesNodePorts(spec)) continue;
    const number = numberAt(port, 'port');
    const shared = byPort.get(number);
    if (shared !== undefined && (asked === 0 || asked === shared.wanted)) {
      shared.receivers.push(port);
      continue;
    }
    const wanted = shared === undefined ? askedFor(number, ports) : asked;
    const need: Need = { wanted, at, receivers: [port] };
    if (shared === undefined) byPort.set(number, need);
    needs.push(need);
  }
  return needs;
}

/** The port on nodes that any of the ports with this number asks for. */
function askedFor(number: number, ports: readonly JsonObject[]): number | undefined {
  const asking = ports.find((port) => numberAt(port, 'port') === number && numberAt(port, 'nodePort') !== 0);
  return asking === undefined ? undefined : numberAt(asking, 'nodePort');
}

/** Of a changed service: what it doesn't have already. */
function newNeeds(spec: JsonObject, before: readonly number[]): Need[] {
  const needs: Need[] = [];
  for (const [at, port] of portsOf(spec).entries()) {
    const asked = numberAt(port, 'nodePort');
    if (asked === 0) {
      if (takesNodePorts(spec)) needs.push({ wanted: undefined, at, receivers: [port] });
    } else if (!before.includes(asked) && !needs.some(({ wanted }) => wanted === asked)) {
      needs.push({ wanted: asked, at, receivers: [port] });
    }
  }
  return needs;
}

function healthCheckNeed(spec: JsonObject): Need {
  return { wanted: numberAt(spec, 'healthCheckNodePort') || undefined, at: undefined, receivers: [spec] };
}

async function give(work: PortWork, needs: readonly Need[]): Promise<void> {
  if (needs.length === 0) return;
  const { range, pool } = work.ports;
  // Certain ones first: any other may be one of them.
  const inOrder = [...needs].sort((a, b) => Number(a.wanted === undefined) - Number(b.wanted === undefined));
  const wanted = inOrder.map((need) => {
    if (need.wanted === undefined) return undefined;
    const index = need.wanted - range.first;
    if (index >= 0 && index < range.size) return index;
    throw refusal(work, need, `the port is not in the valid range, ${range.text}`);
  });
  const claimed = await claim(pool, wanted, work);
  if (!claimed.ok) {
    const need = inOrder[claimed.at];
    if (need?.wanted === undefined)
      throw internalError(`no port of ${range.text} is free: the range is full`);
    throw refusal(work, need, 'the port is already allocated');
  }
  for (const [i, { at, receivers }] of inOrder.entries()) {
    const port = range.first + (claimed.indexes[i] ?? 0);
    for (const receiver of receivers) receiver[at === undefined ? 'healthCheckNodePort' : 'nodePort'] = port;
  }
}

function refusal({ name }: PortWork, { at, wanted }: Need, why: string): Error {
  if (at === undefined) return internalError(`the health check can not have port ${wanted}: ${why}`);
  const field = `spec.ports[${at}].nodePort`;
  return invalidError({ group: '', kind: 'Service' }, name, [invalid(field, wanted, why)]);
}
