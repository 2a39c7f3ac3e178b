import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** Ports of the loopback that are free now. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

/** A port of the loopback that is free now. */
export async function freePort(): Promise<number> {
  const [port] = await freePorts(1);
  return port as number;
}
