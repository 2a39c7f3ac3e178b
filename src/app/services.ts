import { ApiError } from '../errors/api-error.ts';
import { formatGroupVersion, type ApiObject } from '../meta/object.ts';
import type { NamingProfile } from '../names/profile.ts';
import type { ServiceParts } from '../registry/service/hooks.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../telemetry/log/log.ts';
import type { FreeUnused } from './apiserver-service.ts';
import { freeUnused } from './free-unused.ts';
import type { WritableSource } from './late-objects.ts';
import type { AllocationObserver } from './metrics/allocation.ts';
import { listServices, servicePools, ServiceRepairs, type ServiceRangeParts } from './service-ranges.ts';
import type { ReportedEvent } from './service-range-reports.ts';

/** What services have of this server: addresses, ports, and that their endpoints go with them. */
export interface Services {
  /** For the kind's hooks. */
  readonly parts: ServiceParts;
  /** Repairs what is marked as taken, and goes on doing so. */
  start(source: WritableSource): Promise<void>;
  /** The same without repairing anything now. */
  startPrepared(source: WritableSource): void;
  readonly freeUnused: FreeUnused;
  close(): void;
}

export interface ServicesParts extends ServiceRangeParts {
  readonly observer: AllocationObserver;
  readonly names: NamingProfile;
  readonly clock: Clock;
  readonly log: Log;
  /** Names of events end in it. */
  readonly newUid: () => string;
}

/** So long a service may take to be stored after it has been given its addresses and ports, milliseconds. */
const SETTLE_MS = 1000;

export function openServices(parts: ServicesParts): Services {
  const pools = servicePools(parts);
  let source: WritableSource | undefined;
  let repairs: ServiceRepairs | undefined;
  const log = parts.log.part('services');
  return {
    parts: {
      pools,
      deleteEndpoints: async (place) => {
        if (source !== undefined) await deleteEndpoints(source, place, log);
      },
    },
    startPrepared(connected) {
      source = connected;
    },
    async start(connected) {
      source = connected;
      const writeEvent = (about: ApiObject, event: ReportedEvent): void => {
        createEvent(connected, eventOf(about, event, parts)).catch((error: unknown) =>
          log.warning('an event about a service could not be written', { error }),
        );
      };
      const { clock, observer } = parts;
      repairs = new ServiceRepairs({ ...connected, pools, clock, log, observer, writeEvent });
      await repairs.start();
    },
    async freeUnused(asking) {
      const connected = source;
      if (connected === undefined) return false;
      const settle = (): Promise<void> =>
        new Promise((resolve) => void parts.clock.after(SETTLE_MS, resolve));
      return freeUnused({ pools, services: () => listServices(connected), settle }, asking);
    },
    close: () => repairs?.close(),
  };
}

async function deleteEndpoints(
  { schemas, server }: WritableSource,
  place: { readonly namespace: string; readonly name: string },
  log: Log,
): Promise<void> {
  const resource = schemas.resource('', 'v1', 'endpoints');
  if (resource === undefined) return;
  try {
    await server.delete(resource, { metadata: place });
  } catch (error) {
    if (error instanceof ApiError && error.reason === 'NotFound') return;
    log.warning('the endpoints of a deleted service are still there', { ...place, error });
  }
}

async function createEvent({ schemas, server }: WritableSource, event: ApiObject): Promise<void> {
  const resource = schemas.resource('', 'v1', 'events');
  if (resource !== undefined) await server.create(resource, event);
}

function eventOf(
  about: ApiObject,
  { reason, action, note, controller }: ReportedEvent,
  { clock, newUid }: Pick<ServicesParts, 'clock' | 'newUid'>,
): ApiObject {
  const { namespace = '', name = '', uid = '', resourceVersion = '' } = about.metadata;
  const { apiVersion, kind } = about;
  const now = new Date(clock.now()).toISOString();
  return {
    apiVersion: formatGroupVersion('', 'v1'),
    kind: 'Event',
    metadata: { namespace, name: `${name}.${newUid().slice(0, 16)}` },
    involvedObject: { apiVersion, kind, namespace, name, uid, resourceVersion },
    type: 'Warning',
    reason,
    action,
    message: note,
    eventTime: now.replace('Z', '000Z'),
    reportingComponent: controller,
    reportingInstance: controller,
    source: {},
    firstTimestamp: null,
    lastTimestamp: null,
  };
}
