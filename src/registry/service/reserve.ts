import { invalidError } from '../../errors/status-errors.ts';
import { numberAt, textAt } from '../../meta/fields.ts';
import type { JsonObject } from '../../meta/object.ts';
import { familyOf } from '../allocation/ranges.ts';
import type { Reservation, ResourceHooks } from '../hooks.ts';
import { changeAddresses, giveAddresses, leaveAddresses } from './addresses.ts';
import { settleFamilies } from './families.ts';
import { allNodePorts, changePorts, givePorts, leavePorts } from './node-ports.ts';
import { giveBack, type Lots, type ServicePools } from './pools.ts';
import {
  HEADLESS,
  needsClusterIP,
  needsHealthCheck,
  nodePortsOf,
  portsOf,
  sameClusterIPs,
  setTexts,
  specOf,
  takesNodePorts,
  textsAt,
} from './spec.ts';

/** How services come by their addresses and their ports on nodes. */
export function serviceReservations(
  pools: ServicePools,
): Required<Pick<ResourceHooks, 'reserve' | 'release'>> {
  const { addresses, ports } = pools;
  const families = [...addresses.keys()];
  return {
    async reserve(service, old, { dryRun }) {
      const spec = specOf(service);
      const before = old === undefined ? undefined : completed(specOf(old));
      if (before !== undefined) keepWhatWasGiven(spec, before);
      agreeOnAddresses(spec, before);
      const name = service.metadata.name ?? '';
      const errors = settleFamilies(spec, before, families);
      if (errors.length > 0) throw invalidError({ group: '', kind: 'Service' }, name, errors);
      const lots: Lots = { taken: [], left: [] };
      const work = { addresses, ports, name, lots, dryRun };
      try {
        if (before === undefined) {
          await giveAddresses(work, spec);
          await givePorts(work, spec);
        } else {
          await changeAddresses(work, spec, before);
          await changePorts(work, spec, before);
        }
      } catch (error) {
        await giveBack(lots.taken);
        throw error;
      }
      return reservation(lots, dryRun);
    },
    async release(service) {
      const spec = completed(specOf(service));
      const lots: Lots = { taken: [], left: [] };
      if (needsClusterIP(spec)) leaveAddresses({ addresses, lots }, textsAt(spec, 'clusterIPs'));
      leavePorts({ ports, lots }, allNodePorts(spec));
      await giveBack(lots.left);
    },
  };
}

function reservation({ taken, left }: Lots, dryRun: boolean): Reservation {
  return {
    commit: () => (dryRun ? Promise.resolve() : giveBack(left)),
    undo: () => giveBack(taken),
  };
}

/** Fills in what services of old releases lack. */
function completed(spec: JsonObject): JsonObject {
  const address = textAt(spec, 'clusterIP');
  const filled: JsonObject = { ...spec };
  if (address !== '' && textsAt(spec, 'clusterIPs').length === 0) filled.clusterIPs = [address];
  if (address !== '' && address !== HEADLESS && textsAt(spec, 'ipFamilies').length === 0) {
    const families = textsAt(filled, 'clusterIPs').map(familyOf);
    filled.ipFamilies = families;
    filled.ipFamilyPolicy ??= families.length === 1 ? 'SingleStack' : 'RequireDualStack';
  }
  return filled;
}

/** Who sends a service as it was before the server filled in what it gave it means that this stays. */
function keepWhatWasGiven(spec: JsonObject, old: JsonObject): void {
  if (needsClusterIP(spec) && needsClusterIP(old)) {
    const address = textAt(old, 'clusterIP');
    if (textAt(spec, 'clusterIP') === '' && address !== '') spec.clusterIP = address;
    if (textsAt(spec, 'clusterIPs').length === 0) setTexts(spec, 'clusterIPs', textsAt(old, 'clusterIPs'));
  }
  if (takesNodePorts(spec) && takesNodePorts(old)) keepNodePorts(spec, old);
  if (needsHealthCheck(spec) && needsHealthCheck(old) && numberAt(spec, 'healthCheckNodePort') === 0) {
    const port = numberAt(old, 'healthCheckNodePort');
    if (port !== 0) spec.healthCheckNodePort = port;
  }
}

/** Ports are the same if they have the same name. */
function keepNodePorts(spec: JsonObject, old: JsonObject): void {
  const now = nodePortsOf(spec);
  const used = nodePortsOf(old).filter((port) => now.includes(port));
  const before = new Map(portsOf(old).map((port) => [textAt(port, 'name'), numberAt(port, 'nodePort')]));
  for (const port of portsOf(spec)) {
    if (numberAt(port, 'nodePort') !== 0) continue;
    const given = before.get(textAt(port, 'name')) ?? 0;
    if (given !== 0 && !used.includes(given)) port.nodePort = given;
  }
}

/** Makes `clusterIPs` follow `clusterIP` for clients that know only the one of them. */
function agreeOnAddresses(spec: JsonObject, old: JsonObject | undefined): void {
  const address = textAt(spec, 'clusterIP');
  if (old === undefined) {
    if (address !== '' && textsAt(spec, 'clusterIPs').length === 0) spec.clusterIPs = [address];
    return;
  }
  const before = textAt(old, 'clusterIP');
  const isListed = textsAt(spec, 'clusterIPs').length > 0;
  if (!isListed && address === before) setTexts(spec, 'clusterIPs', textsAt(old, 'clusterIPs'));
  if (address !== before && sameClusterIPs(spec, old)) {
    setTexts(spec, 'clusterIPs', address === '' ? [] : [address]);
  }
}
