import type { Described } from '../objects.ts';
import type { World } from '../world.ts';

export interface EndpointSlice extends Described {
  readonly addressType?: string;
  readonly ports?: readonly {
    readonly name?: string;
    readonly port?: number;
    readonly protocol?: string;
  }[];
  readonly endpoints?: readonly Endpoint[];
}

export interface Endpoint {
  readonly addresses?: readonly string[];
  readonly conditions?: { readonly ready?: boolean };
  readonly hostname?: string;
  readonly targetRef?: { readonly kind?: string; readonly name?: string };
  readonly nodeName?: string;
  readonly zone?: string;
}

/** Addresses that are shown; of more it is told how many there are. */
const MOST = 3;

/** The slices that tell where a service is served. @throws ServerError */
export function slicesOf(
  service: string,
  namespace: string | undefined,
  world: World,
): Promise<EndpointSlice[]> {
  const labelSelector = `${world.names.get('label.service-name')}=${service}`;
  return world.list({ group: 'group.discovery', kind: 'EndpointSlice' }, { namespace, labelSelector });
}

/** Where the port of a name is served, by what is ready. */
export function addressText(slices: readonly EndpointSlice[], portName: string): string {
  if (slices.length === 0) return '<none>';
  const found = slices.flatMap(({ ports = [], endpoints = [] }) => {
    const addresses = endpoints
      .filter(({ conditions }) => conditions?.ready !== false)
      .map((endpoint) => endpoint.addresses?.[0] ?? '');
    // A service without its own address may have no ports.
    if (ports.length === 0) return addresses;
    return ports
      .filter(({ name = '' }) => name === portName)
      .flatMap(({ port = 0 }) => addresses.map((address) => hostAndPort(address, port)));
  });
  const shown = found.slice(0, MOST).join(',');
  return found.length > MOST ? `${shown} + ${found.length - MOST} more...` : shown;
}

function hostAndPort(address: string, port: number): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}
