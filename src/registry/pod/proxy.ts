import { numberAt, objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { ApiObject } from '../../meta/object.ts';
import type { LocateHost } from '../../outbound/locate.ts';
import type { FindBackend } from '../hooks.ts';
import { located, portOf, readTarget } from '../proxy-target.ts';

/** `pods/{name}/proxy`: a port of the pod, the first of its containers' where none is named. */
export function podProxy(locate: LocateHost): FindBackend {
  return async function findPod({ namespace, name: asked, ...context }) {
    const { scheme, name, port } = readTarget('pod', asked);
    const pod = await context.read('pods', { namespace, name });
    const host = podAddresses(pod)[0] ?? '';
    const addresses = await located(host, locate);
    const chosen = port === '' ? (firstPort(pod) ?? (scheme === 'https' ? 443 : 80)) : portOf(port);
    return { scheme, host, addresses, port: chosen, isNodeAgent: false };
  };
}

/** The addresses of a pod, the main one first. */
export function podAddresses(pod: ApiObject): string[] {
  return objectsAt(objectAt(pod, 'status'), 'podIPs').map((address) => textAt(address, 'ip'));
}

function firstPort(pod: ApiObject): number | undefined {
  const [port] = objectsAt(objectAt(pod, 'spec'), 'containers').flatMap((container) =>
    objectsAt(container, 'ports').slice(0, 1),
  );
  return port === undefined ? undefined : numberAt(port, 'containerPort');
}
