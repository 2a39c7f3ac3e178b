import { isIP } from 'node:net';

/** A range of addresses. */
export interface Cidr {
  /** The first address of the range, as a number. */
  readonly first: bigint;
  /** How many leading bits are fixed. */
  readonly prefix: number;
  /** Length of an address: 32 or 128. */
  readonly bits: 32 | 128;
}

/** Reads `address/prefix`. Bits behind the prefix are dropped. @returns undefined when the text is no range. */
export function parseCidr(text: string): Cidr | undefined {
  const match = /^([^/]+)\/(\d{1,3})$/.exec(text);
  if (match === null) return undefined;
  const address = parseAddress(match[1] as string);
  const prefix = Number(match[2]);
  if (address === undefined || prefix > address.bits) return undefined;
  const free = BigInt(address.bits - prefix);
  return { first: (address.value >> free) << free, prefix, bits: address.bits };
}

/** The address `offset` behind the range's first, in its usual form. */
export function addressAt({ first, bits }: Cidr, offset: bigint): string {
  const value = first + offset;
  if (bits === 32) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');
  const groups = Array.from({ length: 8 }, (_, i) =>
    ((value >> BigInt(112 - 16 * i)) & 0xffffn).toString(16),
  );
  // The URL parser writes IPv6 addresses in their canonical, shortened form.
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}

function parseAddress(text: string): { value: bigint; bits: 32 | 128 } | undefined {
  const family = isIP(text);
  if (family === 4) return { value: numberOf(text.split('.').map(Number), 8n), bits: 32 };
  if (family !== 6 || text.includes('%')) return undefined;
  const canonical = new URL(`http://[${text}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const before = groupsOf(head);
  const after = groupsOf(tail ?? '');
  const zeros = new Array<number>(8 - before.length - after.length).fill(0);
  return { value: numberOf([...before, ...zeros, ...after], 16n), bits: 128 };
}

function groupsOf(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => parseInt(group, 16));
}

function numberOf(parts: readonly number[], width: bigint): bigint {
  return parts.reduce((value, part) => (value << width) | BigInt(part), 0n);
}
