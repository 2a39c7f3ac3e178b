import { formatAddress, parseAddress, type Address } from '../../lib/address.ts';
import { formatCidr, type Cidr } from '../../lib/cidr.ts';

/** A range of things that are given out, each with an index. */
export interface NumberedRange {
  /** As its record and its errors name it. */
  readonly text: string;
  readonly size: number;
  /** So many from the first on are given to those who don't ask for a certain one only when there are no others. */
  readonly reserved: number;
}

export type Family = 'IPv4' | 'IPv6';

/** The addresses of a CIDR that services may have. */
export interface AddressRange extends NumberedRange {
  readonly family: Family;
  /** @returns undefined for what isn't given out: other addresses, the network's own and, of IPv4, broadcast. */
  indexOf(address: Address): number | undefined;
  addressAt(index: number): string;
}

/** The most that is given out of a range of IPv6. */
const MOST_OF_IPV6 = 65_536;

export function addressRange(cidr: Cidr): AddressRange {
  const all = 2 ** (cidr.bits - cidr.prefix);
  const isV4 = cidr.bits === 32;
  // Neither the network's own address nor, of IPv4, the one for broadcasts.
  const size = Math.max(0, isV4 ? all - 2 : Math.min(all, MOST_OF_IPV6) - 1);
  const base = cidr.first + 1n;
  return {
    text: formatCidr(cidr),
    size,
    reserved: reservedShare(all, { step: 16, most: 256 }),
    family: isV4 ? 'IPv4' : 'IPv6',
    indexOf({ value, bits }) {
      if (bits !== cidr.bits || value < base) return undefined;
      const index = value - base;
      return index < BigInt(size) ? Number(index) : undefined;
    },
    addressAt: (index) => formatAddress({ value: base + BigInt(index), bits: cidr.bits }),
  };
}

/** The family of an address in text; texts that are none count as IPv4. */
export function familyOf(text: string): Family {
  return parseAddress(text)?.bits === 128 ? 'IPv6' : 'IPv4';
}

/** The ports on nodes that services may have. */
export interface PortRange extends NumberedRange {
  readonly first: number;
}

/** @param last included */
export function portRange(first: number, last: number): PortRange {
  const size = last - first + 1;
  return { text: `${first}-${last}`, size, first, reserved: reservedShare(size, { step: 32, most: 128 }) };
}

const LEAST = 16;

/** `min(max(16, size / step), most)`, and nothing of ranges that are that small. */
function reservedShare(size: number, { step, most }: { step: number; most: number }): number {
  if (size <= LEAST) return 0;
  return Math.min(Math.max(LEAST, Math.floor(size / step)), most);
}
