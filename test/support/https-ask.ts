import { once } from 'node:events';
import { request, type RequestOptions } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { ApiObject } from '../../src/meta/object.ts';

/** Who asks, and whom they trust. */
export interface Asker {
  readonly server: string;
  /** Absent: anybody is trusted. */
  readonly ca?: string;
  readonly token?: string;
  /** Whom they want to be. */
  readonly impersonate?: { readonly user: string; readonly groups: readonly string[] };
  readonly cert?: string;
  readonly key?: string;
}

export interface Reply {
  readonly status: number;
  readonly object: ApiObject;
}

/** Makes one request on a connection of its own. @param line such as `GET /api/v1/nodes` */
export async function askAs(asker: Asker, line: string, body?: unknown): Promise<Reply> {
  const response = await send(asker, line, body);
  const object = JSON.parse(await text(response)) as ApiObject;
  return { status: response.statusCode ?? 0, object };
}

/** Watches, until an event's object is as wanted. @returns that object */
export async function waitAs(
  asker: Asker,
  path: string,
  wanted: (object: ApiObject) => boolean,
): Promise<ApiObject> {
  const response = await send(asker, `GET ${path}`);
  try {
    for await (const line of createInterface({ input: response })) {
      const { object } = JSON.parse(line) as { object: ApiObject };
      if (wanted(object)) return object;
    }
  } finally {
    response.destroy();
  }
  throw new Error(`the watch of ${path} ended`);
}

async function send(asker: Asker, line: string, body?: unknown): Promise<IncomingMessage> {
  const [method = '', path = ''] = line.split(' ');
  const { server, ca, token, cert, key, impersonate } = asker;
  const options: RequestOptions = {
    method,
    ...{ ca, cert, key, rejectUnauthorized: ca !== undefined },
    agent: false,
    headers: {
      'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(impersonate === undefined
        ? {}
        : { 'impersonate-user': impersonate.user, 'impersonate-group': [...impersonate.groups] }),
    },
  };
  const sent = request(new URL(path, server), options);
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}
