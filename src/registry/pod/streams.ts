import { badRequestError } from '../../errors/status-errors.ts';
import { objectAt, textAt } from '../../meta/fields.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import type { Backend } from '../../outbound/backend.ts';
import type { ConnectContext, FindStream, ProgramStreams, ResourceHooks } from '../hooks.ts';
import { agentOf, type NodeAgents } from '../node/agent.ts';
import { containerOf } from './log.ts';
import type { PodSettings } from './settings.ts';

/** Subresources of pods whose connections go on with the agent of the pod's node. */
export function podStreams(agents: NodeAgents, { gate }: PodSettings): NonNullable<ResourceHooks['streams']> {
  const translates = gate('TranslateStreamCloseWebsocketRequests');
  return {
    exec: programStream(agents, 'exec', translates),
    attach: programStream(agents, 'attach', translates),
    portforward: portForward(agents, gate('PortForwardWebsockets')),
  };
}

/** Runs a program in a container, or takes part in what its main one says. */
function programStream(agents: NodeAgents, what: 'exec' | 'attach', translates: boolean): FindStream {
  return async function findProgram(context) {
    const { namespace, name, options } = context;
    const pod = await context.read('pods', { namespace, name });
    const container = containerOf(pod, textAt(options, 'container'));
    const streams = streamsOf(options);
    return {
      backend: await agentOfPod(context, pod, agents),
      path: `/${pathOf(what, namespace, name, container)}${queryOf(streams, options)}`,
      ...(translates ? { translation: { to: 'channels', ...streams } } : {}),
    };
  };
}

/** Leads connections to ports of the pod. */
function portForward(agents: NodeAgents, tunnels: boolean): FindStream {
  return async function findPorts(context) {
    const { namespace, name, options } = context;
    const pod = await context.read('pods', { namespace, name });
    const { ports } = options;
    const asked = Array.isArray(ports)
      ? `?${new URLSearchParams({ port: ports.map(Number).join(',') }).toString()}`
      : '';
    return {
      backend: await agentOfPod(context, pod, agents),
      path: `/${pathOf('portForward', namespace, name)}${asked}`,
      ...(tunnels ? { translation: { to: 'tunnel' } } : {}),
    };
  };
}

async function agentOfPod(context: ConnectContext, pod: ApiObject, agents: NodeAgents): Promise<Backend> {
  const nodeName = textAt(objectAt(pod, 'spec') ?? {}, 'nodeName');
  if (nodeName === '') throw badRequestError(`pod ${context.name} does not have a host assigned`);
  const node = await context.read('nodes', { namespace: '', name: nodeName });
  return { scheme: 'https', ...agentOf(node, agents), isNodeAgent: true };
}

function streamsOf(options: JsonObject): ProgramStreams {
  const { stdin, stdout, stderr, tty } = options;
  return { stdin: stdin === true, stdout: stdout === true, stderr: stderr === true, tty: tty === true };
}

/** As node agents are asked. */
function queryOf({ stdin, stdout, stderr, tty }: ProgramStreams, { command }: JsonObject): string {
  const query = new URLSearchParams();
  for (const word of Array.isArray(command) ? command : [])
    if (typeof word === 'string') query.append('command', word);
  if (stderr) query.set('error', '1');
  if (stdin) query.set('input', '1');
  if (stdout) query.set('output', '1');
  if (tty) query.set('tty', '1');
  return query.size === 0 ? '' : `?${query.toString()}`;
}

function pathOf(...segments: readonly string[]): string {
  return segments.map(encodeURIComponent).join('/');
}
