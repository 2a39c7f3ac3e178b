import { Client } from '../../src/client/client.ts';
import { fixedCredentials } from '../../src/client/https/credentials.ts';
import { HttpsTransport } from '../../src/client/https/https-transport.ts';
import { TOKEN } from './servers.ts';

/** A client of a member of system:masters. To be closed. */
export function administrator(server: string): Client {
  const credentials = fixedCredentials({ authorization: `Bearer ${TOKEN}` });
  return new Client({ transport: new HttpsTransport({ server, insecure: true, credentials }) });
}
