import assert from 'node:assert/strict';
import type { ApiObject } from '../../src/meta/object.ts';
import { askAs, type Asker } from './https-ask.ts';

/** A node whose agent listens at an address, and on a port. */
export function agentNode(name: string, Port: number, address = '127.0.0.1'): ApiObject {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name },
    status: {
      addresses: [{ type: 'InternalIP', address }],
      daemonEndpoints: { kubeletEndpoint: { Port } },
    },
  };
}

/** Nodes whose agents listen here, and pods on them. */
export interface AgentObjects {
  readonly makeNode: (name: string, port: number) => Promise<void>;
  /** @param nodeName empty: the pod is on no node. @param main names of containers */
  readonly makePod: (name: string, nodeName: string, main: string[], init?: string[]) => Promise<void>;
}

/** Makes them as whoever `asker()` gives at that moment. */
export function agentObjects(asker: () => Asker, podsPath: string): AgentObjects {
  async function make(path: string, object: object): Promise<void> {
    const { status, object: made } = await askAs(asker(), `POST ${path}`, object);
    assert.equal(status, 201, JSON.stringify(made));
  }
  return {
    makeNode: (name, port) => make('/api/v1/nodes', agentNode(name, port)),
    makePod(name, nodeName, main, init = []) {
      const container = (of: string): object => ({ name: of, image: 'i' });
      const lists = { containers: main.map(container), initContainers: init.map(container) };
      return make(podsPath, {
        metadata: { name },
        spec: { ...lists, ...(nodeName === '' ? {} : { nodeName }) },
      });
    },
  };
}
