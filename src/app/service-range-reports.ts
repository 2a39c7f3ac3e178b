import type { ApiObject } from '../meta/object.ts';
import type { Use, UseProblem } from '../registry/allocation/repair.ts';
import type { Log } from '../telemetry/log/log.ts';
import type { AllocationObserver, RepairObserver } from './metrics/allocation.ts';

/** Tells an object's owner something, as an Event. Doesn't fail. */
export type WriteEvent = (about: ApiObject, event: ReportedEvent) => void;

export interface ReportedEvent {
  readonly reason: string;
  readonly action: string;
  readonly note: string;
  /** Who tells it. */
  readonly controller: string;
}

/** What is told of repairs: in the log, in metrics, and by Events on the services. */
export interface RangeReports {
  problem(use: Use<ApiObject>, problem: UseProblem, range: string): void;
  /** A text that no range is for. */
  stray(use: Use<ApiObject>): void;
  leak(text: string): void;
  failed(range: string, error: unknown): void;
}

interface ReportParts {
  readonly log: Log;
  readonly observer: AllocationObserver;
  readonly writeEvent: WriteEvent;
}

/** How problems with one sort of range are called. */
interface Wording {
  readonly what: string;
  readonly controller: string;
  readonly action: string;
  readonly reasons: Readonly<Record<UseProblem, string>>;
  readonly repairs: RepairObserver;
}

export function addressReports(parts: ReportParts): RangeReports {
  return rangeReports(parts, {
    what: 'cluster IP',
    controller: 'ipallocator-repair-controller',
    action: 'ClusterIPAllocation',
    reasons: {
      repair: 'ClusterIPNotAllocated',
      duplicate: 'ClusterIPAlreadyAllocated',
      outOfRange: 'ClusterIPOutOfRange',
    },
    repairs: parts.observer.addressRepairs,
  });
}

export function portReports(parts: ReportParts): RangeReports {
  return rangeReports(parts, {
    what: 'node port',
    controller: 'portallocator-repair-controller',
    action: 'PortAllocation',
    reasons: {
      repair: 'PortNotAllocated',
      duplicate: 'PortAlreadyAllocated',
      outOfRange: 'PortOutOfRange',
    },
    repairs: parts.observer.portRepairs,
  });
}

function rangeReports({ log, writeEvent }: ReportParts, wording: Wording): RangeReports {
  const { what, controller, action, reasons, repairs } = wording;
  /** What has been told stays so until somebody changes the service: once is enough. */
  const told = new Set<string>();
  const tell = (use: Use<ApiObject>, event: Omit<ReportedEvent, 'controller'>): void => {
    const key = `${use.owner.metadata.uid} ${use.text} ${event.reason}`;
    if (told.has(key)) return;
    told.add(key);
    const { namespace, name } = use.owner.metadata;
    log.warning(event.note, { namespace, service: name });
    writeEvent(use.owner, { ...event, controller });
  };
  return {
    problem(use, problem, range) {
      repairs.onProblem(problem);
      tell(use, {
        reason: reasons[problem],
        action,
        note: noteOf(`The ${what} ${use.text}`, problem, range),
      });
    },
    stray(use) {
      repairs.onProblem('invalid');
      const note = `The cluster IP ${use.text} is no address that this cluster gives out: create the service anew`;
      tell(use, { reason: 'ClusterIPNotValid', action: 'ClusterIPValidation', note });
    },
    leak(text) {
      repairs.onProblem('leak');
      log.warning(`a ${what} was marked as taken and nobody had it: it is free again`, { value: text });
    },
    failed(range, error) {
      repairs.onFailure();
      log.error(`what is taken of a range could not be compared with the services`, error, { range });
    },
  };
}

function noteOf(what: string, problem: UseProblem, range: string): string {
  switch (problem) {
    case 'repair':
      return `${what} was not marked as taken: it is now`;
    case 'duplicate':
      return `${what} is another service's too: create this one anew`;
    case 'outOfRange':
      return `${what} is not one of ${range}: create the service anew`;
  }
}
