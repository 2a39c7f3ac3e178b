import { internalError } from '../../errors/status-errors.ts';
import { isObject, objectAt, textAt } from '../../meta/fields.ts';
import type { ApiObject } from '../../meta/object.ts';
import type { LocateHost } from '../../outbound/locate.ts';
import type { FindBackend } from '../hooks.ts';
import { located, portOf, readTarget } from '../proxy-target.ts';

/** How node agents are reached. */
export interface NodeAgents {
  /** Types of addresses, the most wanted first. */
  readonly addressTypes: readonly string[];
  /** Of those that say none. */
  readonly port: number;
  readonly locate: LocateHost;
}

/** Where a node's agent listens, as the node's status says. @throws ApiError 500 where it has no address of these types. */
export function agentOf(node: ApiObject, { addressTypes, port }: NodeAgents): { host: string; port: number } {
  const status = objectAt(node, 'status') ?? {};
  const list = Array.isArray(status['addresses']) ? status['addresses'].filter(isObject) : [];
  const chosen = addressTypes
    .map((type) => list.find((address) => address['type'] === type))
    .find((address) => address !== undefined);
  if (chosen === undefined) {
    const name = JSON.stringify(node.metadata.name ?? '');
    throw internalError(`the node ${name} has no address of the types ${addressTypes.join(', ')}`);
  }
  const told = objectAt(objectAt(status, 'daemonEndpoints') ?? {}, 'kubeletEndpoint')?.['Port'];
  return { host: textAt(chosen, 'address'), port: typeof told === 'number' && told > 0 ? told : port };
}

/** `nodes/{name}/proxy`: the node's agent, or with `name:port` another port of the node, over http or https. */
export function nodeProxy(agents: NodeAgents): FindBackend {
  return async function findNode(context) {
    const { name: asked } = context;
    const target = readTarget('node', asked);
    const node = await context.read('nodes', { namespace: '', name: target.name });
    const agent = agentOf(node, agents);
    const addresses = await located(agent.host, agents.locate);
    const { host } = agent;
    if (target.port === '' || target.port === String(agent.port))
      return { scheme: 'https', host, addresses, port: agent.port, isNodeAgent: true };
    return { scheme: target.scheme, host, addresses, port: portOf(target.port), isNodeAgent: false };
  };
}
