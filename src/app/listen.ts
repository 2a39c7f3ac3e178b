import type { Gateway } from '../http/gateway.ts';
import type { ServingOptions } from './options/options.ts';

/** What is wrong with the flags when a port can't be had, by the error's code. */
const FAULTS: Readonly<Record<string, (serving: ServingOptions) => string>> = {
  EADDRINUSE: ({ port, bindAddress }) =>
    `--secure-port: port ${port} of ${bindAddress} is in use by another program`,
  EACCES: ({ port }) => `--secure-port: this user may not listen on port ${port}`,
  EADDRNOTAVAIL: ({ bindAddress }) => `--bind-address: this machine has no address ${bindAddress}`,
  ENOTFOUND: ({ bindAddress }) => `--bind-address: nobody knows a host ${bindAddress}`,
};

/** Starts to accept connections. @returns the port. @throws Error that names the flag which is to be changed. */
export async function listen(gateway: Gateway, serving: ServingOptions): Promise<number> {
  try {
    const { port } = await gateway.listen(serving.port, serving.bindAddress);
    return port;
  } catch (error) {
    const fault = FAULTS[String((error as NodeJS.ErrnoException).code)];
    if (fault === undefined) throw error;
    throw new Error(fault(serving), { cause: error });
  }
}

/** Where clients on this machine find a server that listens everywhere. */
export function localUrl({ bindAddress }: ServingOptions, port: number): string {
  return `https://${localAddress(bindAddress)}:${port}`;
}

function localAddress(bindAddress: string): string {
  if (bindAddress === '0.0.0.0' || bindAddress === '::' || bindAddress === '') return '127.0.0.1';
  return bindAddress.includes(':') ? `[${bindAddress}]` : bindAddress;
}
