import { formatAddress, parseAddressAsWritten, type Address } from './address.ts';

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
  const address = parseAddressAsWritten(match[1] as string);
  const prefix = Number(match[2]);
  if (address === undefined || prefix > address.bits) return undefined;
  const free = BigInt(address.bits - prefix);
  return { first: (address.value >> free) << free, prefix, bits: address.bits };
}

/** The range in its usual form. */
export function formatCidr({ first, prefix, bits }: Cidr): string {
  return `${formatAddress({ value: first, bits })}/${prefix}`;
}

/** The address `offset` behind the range's first, in its usual form. */
export function addressAt({ first, bits }: Cidr, offset: bigint): string {
  return formatAddress({ value: first + offset, bits });
}

/** Whether an address is one of the range. */
export function contains({ first, prefix, bits }: Cidr, address: Address): boolean {
  return address.bits === bits && (address.value ^ first) >> BigInt(bits - prefix) === 0n;
}
