import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import type { Clock } from '../lib/clock.ts';
import { isGlobalUnicast, parseAddress } from '../lib/address.ts';
import { withDeadline } from './deadline.ts';

/** A host isn't known, or isn't one to pass requests on to. */
export class HostError extends Error {
  override readonly name = 'HostError';
}

/** Finds the addresses of a host, of which each is fit to be connected to. @throws HostError. */
export type LocateHost = (host: string) => Promise<readonly LookupAddress[]>;

/**
 * Looks hosts up in `timeoutMs`. Who may say where requests go must not reach this machine's own services by it, nor
 * those of its link: one address of that kind is enough to refuse the host.
 */
export function locateHost(clock: Clock, timeoutMs: number): LocateHost {
  return async (host) => {
    // What has no address yet must not be asked of the resolver, which answers for this machine or warns.
    if (host === '') throw new HostError('address not allowed');
    const found = await withDeadline(clock, timeoutMs, () => lookup(host, { all: true })).catch(
      (cause: unknown) => {
        throw new HostError(`the host ${JSON.stringify(host)} can not be looked up`, { cause });
      },
    );
    if (found.length === 0 || !found.every(({ address }) => isAllowed(address)))
      throw new HostError('address not allowed');
    return found;
  };
}

function isAllowed(text: string): boolean {
  const address = parseAddress(text);
  return address !== undefined && isGlobalUnicast(address);
}
