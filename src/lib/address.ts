import { isIP } from 'node:net';

/** An IP address. */
export interface Address {
  /** As a number. */
  readonly value: bigint;
  /** Its length: 32 for IPv4, 128 for IPv6. */
  readonly bits: 32 | 128;
}

/** The first 96 bits of IPv6 addresses that stand for IPv4 ones. */
const MAPPED = 0xffffn;

/**
 * Reads an address as leniently as the Go API server does: numbers of IPv4 may have leading zeros and are decimal, and
 * an IPv6 address that stands for one of IPv4 (`::ffff:10.0.0.1`) is that one. Zones are refused.
 *
 * @returns undefined when the text is no address.
 */
export function parseAddress(text: string): Address | undefined {
  const address = parseAddressAsWritten(text);
  if (address?.bits !== 128 || address.value >> 32n !== MAPPED) return address;
  return { value: address.value & 0xffffffffn, bits: 32 };
}

/** The same, but what is written as an IPv6 address is one. */
export function parseAddressAsWritten(text: string): Address | undefined {
  return text.includes(':') ? parseV6(text) : parseV4(text);
}

function parseV4(text: string): Address | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^0*\d{1,3}$/.test(part))) return undefined;
  const numbers = parts.map(Number);
  return numbers.some((n) => n > 255) ? undefined : { value: joined(numbers, 8n), bits: 32 };
}

function parseV6(text: string): Address | undefined {
  if (isIP(text) !== 6 || text.includes('%')) return undefined;
  // The URL parser writes addresses in their canonical form: an IPv4 ending becomes two groups.
  const canonical = new URL(`http://[${text}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const before = groupsOf(head);
  const after = groupsOf(tail ?? '');
  const zeros = new Array<number>(8 - before.length - after.length).fill(0);
  return { value: joined([...before, ...zeros, ...after], 16n), bits: 128 };
}

function groupsOf(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => parseInt(group, 16));
}

function joined(parts: readonly number[], width: bigint): bigint {
  return parts.reduce((value, part) => (value << width) | BigInt(part), 0n);
}

/** An address in its usual form (RFC 5952). */
export function formatAddress({ value, bits }: Address): string {
  if (bits === 32) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');
  if (value >> 32n === MAPPED) return `::ffff:${formatAddress({ value: value & 0xffffffffn, bits: 32 })}`;
  const groups = Array.from({ length: 8 }, (_, i) =>
    ((value >> BigInt(112 - 16 * i)) & 0xffffn).toString(16),
  );
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}

/** What an address stands for, where that isn't one host that others can reach. */
export type SpecialAddress = 'unspecified' | 'loopback' | 'link-local' | 'link-local multicast';

const V4 = (a: bigint, b: bigint, c: bigint): bigint => (a << 24n) | (b << 16n) | (c << 8n);

/** @returns undefined for ordinary addresses. */
export function specialAddress({ value, bits }: Address): SpecialAddress | undefined {
  if (value === 0n) return 'unspecified';
  if (bits === 32) {
    if (value >> 24n === 127n) return 'loopback';
    if (value >> 16n === V4(169n, 254n, 0n) >> 16n) return 'link-local';
    return value >> 8n === V4(224n, 0n, 0n) >> 8n ? 'link-local multicast' : undefined;
  }
  if (value === 1n) return 'loopback';
  if (value >> 118n === 0xfe80n >> 6n) return 'link-local';
  const isMulticast = value >> 120n === 0xffn;
  return isMulticast && ((value >> 112n) & 0xfn) === 2n ? 'link-local multicast' : undefined;
}

/** Whether an address is one host's that others can reach: not this machine, not everybody's, and beyond its own link. */
export function isGlobalUnicast(address: Address): boolean {
  const { value, bits } = address;
  if (specialAddress(address) !== undefined) return false;
  if (bits === 128) return value >> 120n !== 0xffn;
  return value >> 28n !== 0xen && value !== 0xffffffffn;
}
