import { parseAddress } from '../../lib/address.ts';
import { addressAt, parseCidr } from '../../lib/cidr.ts';
import { numberAt, objectAt } from '../../meta/fields.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import { Bitmap } from '../allocation/bitmap.ts';
import type { RangeRecord } from '../allocation/range-record.ts';
import {
  addressRange,
  familyOf,
  portRange,
  type AddressRange,
  type PortRange,
} from '../allocation/ranges.ts';
import type { Use } from '../allocation/repair.ts';
import { HEADLESS, needsClusterIP, nodePortsOf, textsAt } from './spec.ts';

/** The addresses of a range's family that services have. */
export function addressUses(services: readonly ApiObject[], range: AddressRange): Use<ApiObject>[] {
  return services.flatMap((owner) =>
    addressesOf(objectAt(owner, 'spec') ?? {}).flatMap((text) => {
      const address = parseAddress(text);
      if (address === undefined || familyOf(text) !== range.family) return [];
      return [{ owner, text, index: range.indexOf(address) }];
    }),
  );
}

/** Addresses of services that no range is for: of a family that the cluster doesn't give out, or none at all. */
export function strayAddresses(
  services: readonly ApiObject[],
  ranges: readonly AddressRange[],
): Use<ApiObject>[] {
  return services.flatMap((owner) =>
    addressesOf(objectAt(owner, 'spec') ?? {})
      .filter(
        (text) => parseAddress(text) === undefined || !ranges.some(({ family }) => family === familyOf(text)),
      )
      .map((text) => ({ owner, text, index: undefined })),
  );
}

function addressesOf(spec: JsonObject): string[] {
  const texts = textsAt(spec, 'clusterIPs');
  return needsClusterIP(spec) && texts[0] !== HEADLESS ? texts : [];
}

/** The ports on nodes that services have. */
export function portUses(services: readonly ApiObject[], { first, size }: PortRange): Use<ApiObject>[] {
  return services.flatMap((owner) => {
    const spec = objectAt(owner, 'spec') ?? {};
    const check = numberAt(spec, 'healthCheckNodePort');
    const ports = check === 0 ? nodePortsOf(spec) : [...nodePortsOf(spec), check];
    return ports.map((port) => {
      const index = port - first;
      return { owner, text: String(port), index: index >= 0 && index < size ? index : undefined };
    });
  });
}

/** What a record says is taken, though it may be one of another range. */
export function takenAddresses({ range: text, data }: RangeRecord, range: AddressRange): number[] {
  const cidr = parseCidr(text);
  if (cidr === undefined) return [];
  const { size } = addressRange(cidr);
  const indexes = [...Bitmap.from(data, size).indexes()];
  if (text === range.text) return indexes;
  return indexes.flatMap((index) => {
    const address = parseAddress(addressAt(cidr, BigInt(index) + 1n));
    return (address === undefined ? undefined : range.indexOf(address)) ?? [];
  });
}

/** The same of ports. */
export function takenPorts({ range: text, data }: RangeRecord, range: PortRange): number[] {
  const [first = NaN, last = NaN] = text.split('-').map(Number);
  if (!(last >= first)) return [];
  const indexes = [...Bitmap.from(data, portRange(first, last).size).indexes()];
  return indexes.map((index) => index + first - range.first).filter((i) => i >= 0 && i < range.size);
}
