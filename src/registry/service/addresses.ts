import type { ApiError } from '../../errors/api-error.ts';
import { invalid } from '../../errors/field-error.ts';
import { internalError, invalidError } from '../../errors/status-errors.ts';
import { parseAddress } from '../../lib/address.ts';
import type { JsonObject } from '../../meta/object.ts';
import { familyOf, type Family } from '../allocation/ranges.ts';
import { staysPreferred } from './families.ts';
import { claim, leave, type AddressPool, type Lots } from './pools.ts';
import { isHeadless, needsClusterIP, setTexts, textsAt, HEADLESS } from './spec.ts';

/** How addresses are given to one service. */
export interface AddressWork {
  readonly addresses: ReadonlyMap<Family, AddressPool>;
  /** Of the service, for errors. */
  readonly name: string;
  readonly lots: Lots;
  readonly dryRun: boolean;
}

/** What the kind is called in errors. */
const SERVICE = { group: '', kind: 'Service' };

/** Gives a service the addresses that it lacks; it has its families. @throws ApiError 422, 500. */
export async function giveAddresses(work: AddressWork, spec: JsonObject): Promise<void> {
  if (!needsClusterIP(spec) || textsAt(spec, 'clusterIPs')[0] === HEADLESS) return;
  for (const i of textsAt(spec, 'ipFamilies').keys()) await giveAddress(work, spec, i);
}

/** Gives a changed service the addresses that it needs now, and notes those that it leaves. @throws ApiError 422, 500. */
export async function changeAddresses(work: AddressWork, spec: JsonObject, old: JsonObject): Promise<void> {
  if (staysPreferred(spec, old)) return;
  if (!needsClusterIP(old)) return giveAddresses(work, spec);
  // Neither may become the other: that is refused by the rules.
  if (isHeadless(old) || isHeadless(spec)) return;
  if (!needsClusterIP(spec)) {
    leaveAddresses(work, textsAt(old, 'clusterIPs'));
    return;
  }
  const before = textsAt(old, 'ipFamilies').length;
  const now = textsAt(spec, 'ipFamilies').length;
  if (before === 1 && now === 2) await giveAddress(work, spec, 1);
  if (before === 2 && now === 1) leaveAddresses(work, textsAt(old, 'clusterIPs').slice(1));
}

/** Notes that addresses are free once the write is done. Those of other ranges are nobody's. */
export function leaveAddresses(
  { addresses, lots }: Pick<AddressWork, 'addresses' | 'lots'>,
  texts: readonly string[],
): void {
  for (const text of texts) {
    const address = parseAddress(text);
    const own = addresses.get(familyOf(text));
    const index = address === undefined ? undefined : own?.range.indexOf(address);
    if (own !== undefined && index !== undefined) leave(lots, own.pool, [index]);
  }
}

/** Gives the address that is asked for, or any, to the family at this place. */
async function giveAddress(work: AddressWork, spec: JsonObject, i: number): Promise<void> {
  const texts = textsAt(spec, 'clusterIPs');
  const family = textsAt(spec, 'ipFamilies')[i] as Family;
  const own = work.addresses.get(family);
  if (own === undefined) throw internalError(`this cluster gives out no ${family} addresses`);
  const { range, pool } = own;
  const text = texts[i] ?? '';
  const index = text === '' ? undefined : indexOf(range, text);
  if (text !== '' && index === undefined) {
    throw refused(work, texts, `the IP (${text}) is not in the valid range, ${range.text}`);
  }
  // A dry run is told whether an address can be had at all, not whether somebody has it now.
  if (index !== undefined && work.dryRun) return setAddress(spec, i, text);
  const claimed = await claim(pool, [index], work);
  if (!claimed.ok) {
    if (index === undefined) throw internalError(`no address of ${range.text} is free: the range is full`);
    throw refused(work, texts, `${text} can not be had: the IP is already allocated`);
  }
  // What was asked for stays as it was written.
  setAddress(spec, i, text === '' ? range.addressAt(claimed.indexes[0] ?? 0) : text);
}

function setAddress(spec: JsonObject, i: number, text: string): void {
  const texts = textsAt(spec, 'clusterIPs');
  texts[i] = text;
  setTexts(spec, 'clusterIPs', texts);
  if (i === 0) spec.clusterIP = text;
}

function indexOf(range: AddressPool['range'], text: string): number | undefined {
  const address = parseAddress(text);
  return address === undefined ? undefined : range.indexOf(address);
}

function refused({ name }: AddressWork, addresses: string[], why: string): ApiError {
  return invalidError(SERVICE, name, [invalid('spec.clusterIPs', addresses, why)]);
}
