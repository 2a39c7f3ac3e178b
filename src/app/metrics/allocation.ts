import type { PoolObserver } from '../../registry/allocation/pool.ts';
import type { UseProblem } from '../../registry/allocation/repair.ts';
import type { Metrics } from '../../telemetry/metrics/metrics.ts';

/** What ranges that are given out tell of themselves. */
export interface AllocationObserver {
  /** @param cidr as the range is written */
  addresses(cidr: string): PoolObserver;
  readonly nodePorts: PoolObserver;
  readonly addressRepairs: RepairObserver;
  readonly portRepairs: RepairObserver;
}

/** What repairs tell of themselves. */
export interface RepairObserver {
  onProblem(problem: UseProblem | 'invalid' | 'leak'): void;
  onFailure(): void;
}

/** Counts it. */
export function allocationObserver(metrics: Metrics): AllocationObserver {
  const used = metrics.gauge('kube_apiserver_clusterip_allocator_allocated_ips');
  const free = metrics.gauge('kube_apiserver_clusterip_allocator_available_ips');
  const claims = metrics.counter('kube_apiserver_clusterip_allocator_allocation_total');
  const refusals = metrics.counter('kube_apiserver_clusterip_allocator_allocation_errors_total');
  return {
    addresses: (cidr) => ({
      onUsage(taken, left) {
        used.with({ cidr }).set(taken);
        free.with({ cidr }).set(left);
      },
      onClaim: (scope, given) => (given ? claims : refusals).with({ cidr, scope }).inc(),
    }),
    nodePorts: nodePortObserver(metrics),
    addressRepairs: repairObserver(
      metrics.counter('apiserver_clusterip_repair_ip_errors_total'),
      metrics.counter('apiserver_clusterip_repair_reconcile_errors_total'),
    ),
    portRepairs: repairObserver(
      metrics.counter('apiserver_nodeport_repair_port_errors_total'),
      metrics.counter('apiserver_nodeport_repair_reconcile_errors_total'),
    ),
  };
}

function nodePortObserver(metrics: Metrics): PoolObserver {
  const used = metrics.gauge('kube_apiserver_nodeport_allocator_allocated_ports');
  const free = metrics.gauge('kube_apiserver_nodeport_allocator_available_ports');
  const claims = metrics.counter('kube_apiserver_nodeport_allocator_allocation_total');
  const refusals = metrics.counter('kube_apiserver_nodeport_allocator_allocation_errors_total');
  return {
    onUsage(taken, left) {
      used.with({}).set(taken);
      free.with({}).set(left);
    },
    onClaim: (scope, given) => (given ? claims : refusals).with({ scope }).inc(),
  };
}

type Counter = ReturnType<Metrics['counter']>;

function repairObserver(problems: Counter, failures: Counter): RepairObserver {
  return {
    onProblem: (type) => problems.with({ type }).inc(),
    onFailure: () => failures.with({}).inc(),
  };
}
