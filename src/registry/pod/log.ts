import { badRequestError } from '../../errors/status-errors.ts';
import { objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import type { FindText } from '../hooks.ts';
import { agentOf, type NodeAgents } from '../node/agent.ts';
import { readLogOptions } from './log-options.ts';
import type { PodSettings } from './settings.ts';

/** `pods/{name}/log`: what a container has written, which the node's agent knows. */
export function podLog(agents: NodeAgents, { gate }: PodSettings): FindText {
  return async function findLog(context) {
    const { namespace, name, query } = context;
    const options = readLogOptions(query, name, gate('PodLogsQuerySplitStreams'));
    const pod = await context.read('pods', { namespace, name });
    const container = containerOf(pod, options.container);
    const nodeName = textAt(objectAt(pod, 'spec') ?? {}, 'nodeName');
    // It hasn't run anywhere.
    if (nodeName === '') return undefined;
    const node = await context.read('nodes', { namespace: '', name: nodeName });
    const path = ['containerLogs', namespace, name, container].map(encodeURIComponent).join('/');
    const { skipsVerification } = options;
    const asked = options.query.size === 0 ? '' : `?${options.query.toString()}`;
    return {
      backend: { scheme: 'https', ...agentOf(node, agents), isNodeAgent: true, skipsVerification },
      path: `/${path}${asked}`,
    };
  };
}

/** The container that is meant: the only one, where none is named. @throws ApiError 400. */
export function containerOf(pod: ApiObject, asked: string): string {
  const { name: podName = '' } = pod.metadata;
  const spec = objectAt(pod, 'spec') ?? {};
  const main = namesOf(spec, 'containers');
  const all = [...namesOf(spec, 'initContainers'), ...main, ...namesOf(spec, 'ephemeralContainers')];
  if (asked !== '') {
    if (all.includes(asked)) return asked;
    throw badRequestError(`container ${asked} is not valid for pod ${podName}`);
  }
  const [only] = main;
  if (only !== undefined && main.length === 1) return only;
  throw badRequestError(
    `a container name must be specified for pod ${podName}, choose one of: [${all.join(' ')}]`,
  );
}

function namesOf(spec: JsonObject, list: string): string[] {
  return objectsAt(spec, list).map((container) => textAt(container, 'name'));
}
