import { ApiError } from '../../errors/api-error.ts';
import { notFoundError } from '../../errors/status-errors.ts';
import { numberAt, objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import type { LocateHost } from '../../outbound/locate.ts';
import type { ConnectContext, FindBackend } from '../hooks.ts';
import { podAddresses } from '../pod/proxy.ts';
import { located, readTarget } from '../proxy-target.ts';

/** One address of a service's endpoints with the port that is meant. */
interface Endpoint {
  readonly address: JsonObject;
  readonly port: number;
}

/**
 * `services/{name}/proxy`: a pod behind the service, each in turn. Only what is a pod of the service's namespace by its own status
 * counts: who may write endpoints must not reach others' addresses by it.
 */
export function serviceProxy(locate: LocateHost): FindBackend {
  let turn = 0;
  return async function findService(context) {
    const { namespace, name: asked } = context;
    const { scheme, name, port } = readTarget('service', asked);
    const portName = /^\d+$/.test(port) ? await nameOfPort(context, name, Number(port)) : port;
    const endpoints = await read(context, 'endpoints', name);
    const candidates = endpointsOf(endpoints, portName);
    const start = turn++;
    for (let i = 0; i < candidates.length; i++) {
      const { address, port: number } = candidates[(start + i) % candidates.length] as Endpoint;
      if (!(await isPod(context, address, namespace))) continue;
      const host = textAt(address, 'ip');
      return { scheme, host, addresses: await located(host, locate), port: number, isNodeAgent: false };
    }
    throw unavailable(`no endpoints available for service ${JSON.stringify(asked)}`);
  };
}

async function nameOfPort(context: ConnectContext, name: string, number: number): Promise<string> {
  const service = await read(context, 'services', name);
  const port = objectsAt(objectAt(service, 'spec'), 'ports').find((one) => numberAt(one, 'port') === number);
  if (port !== undefined) return textAt(port, 'name');
  throw unavailable(`no service port ${number} found for service ${JSON.stringify(name)}`);
}

/** @throws ApiError 404 that names the service. */
async function read(
  { namespace, ...context }: ConnectContext,
  resource: string,
  name: string,
): Promise<ApiObject> {
  try {
    return await context.read(resource, { namespace, name });
  } catch (error) {
    if (error instanceof ApiError && error.reason === 'NotFound')
      throw notFoundError({ group: '', resource: 'services' }, name);
    throw error;
  }
}

function endpointsOf(endpoints: ApiObject, portName: string): Endpoint[] {
  return objectsAt(endpoints, 'subsets').flatMap((subset) => {
    const port = objectsAt(subset, 'ports').find((one) => textAt(one, 'name') === portName);
    if (port === undefined) return [];
    return objectsAt(subset, 'addresses').map((address) => ({ address, port: numberAt(port, 'port') }));
  });
}

async function isPod(context: ConnectContext, address: JsonObject, namespace: string): Promise<boolean> {
  const target = objectAt(address, 'targetRef');
  const name = textAt(target, 'name');
  if (name === '' || textAt(target, 'namespace') !== namespace) return false;
  try {
    const pod = await context.read('pods', { namespace, name });
    return podAddresses(pod).includes(textAt(address, 'ip'));
  } catch (error) {
    if (error instanceof ApiError && error.reason === 'NotFound') return false;
    throw error;
  }
}

function unavailable(message: string): ApiError {
  return new ApiError('ServiceUnavailable', message);
}
