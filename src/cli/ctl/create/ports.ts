import type { JsonObject } from '../../../meta/object.ts';
import { CtlError } from '../errors.ts';

const HIGHEST = 65_535;
/** IANA's names of services. */
const PORT_NAME = /^(?=.*[a-z])(?!.*--)[a-z0-9](?:[a-z0-9-]{0,13}[a-z0-9])?$/;

/** Reads `PORT[:TARGET]`, of which the target may be the name of a container's port. @throws CtlError */
export function servicePort(text: string, nodePort = 0): JsonObject {
  const [first = '', second] = text.split(':');
  const port = portNumber(first);
  return {
    name: text.replaceAll(':', '-'),
    port,
    protocol: 'TCP',
    targetPort: second === undefined ? port : targetPort(second),
    ...(nodePort === 0 ? {} : { nodePort }),
  };
}

function portNumber(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (port <= HIGHEST) return port;
  throw new CtlError(`invalid port ${JSON.stringify(text)}: it is a number from 0 to ${HIGHEST}`, {
    hint: 'Ports are written PORT or PORT:TARGET.',
  });
}

function targetPort(text: string): number | string {
  if (!/^-?\d+$/.test(text)) {
    if (PORT_NAME.test(text)) return text;
    throw new CtlError(
      `invalid port name ${JSON.stringify(text)}: it has at most 15 characters, of a-z, 0-9 and - between others, and at least one letter`,
    );
  }
  const port = Number(text);
  if (port >= 1 && port <= HIGHEST) return port;
  throw new CtlError(`invalid port ${text}: it is a number from 1 to ${HIGHEST}`);
}
