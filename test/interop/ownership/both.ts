import { Agent, request } from 'node:https';

/** One request in the words of HTTP. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly contentType?: string;
  readonly body?: unknown;
}

interface Endpoint {
  readonly url: string;
  readonly token: string;
}

interface Answer {
  readonly status: number;
  readonly object: Record<string, unknown>;
}

const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });

/** Asks two servers the same, and tells what differs in their answers. */
export class BothServers {
  readonly #ours: Endpoint;
  readonly #theirs: Endpoint;

  constructor(ours: Endpoint, theirs: Endpoint) {
    this.#ours = ours;
    this.#theirs = theirs;
  }

  /** @returns the answers as far as they must be alike, as two texts. */
  async ask(exchange: Exchange): Promise<{ ours: string; theirs: string; status: number }> {
    const [ours, theirs] = await Promise.all([
      this.#ask(this.#ours, exchange),
      this.#ask(this.#theirs, exchange),
    ]);
    return { ours: shown(ours), theirs: shown(theirs), status: theirs.status };
  }

  #ask({ url, token }: Endpoint, { method, path, contentType, body }: Exchange): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': contentType ?? 'application/json',
        'user-agent': 'both/1.0',
      };
      const outgoing = request(`${url}${path}`, { method, headers, agent }, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('end', () => {
          const object = JSON.parse(Buffer.concat(chunks).toString()) as Answer['object'];
          resolve({ status: incoming.statusCode ?? 0, object });
        });
      });
      outgoing.on('error', reject);
      outgoing.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }
}

const UID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** What must be alike: everything but identity, versions, the moment, and the words of errors. */
function shown({ status, object }: Answer): string {
  if (status < 400) return JSON.stringify(withoutIdentity(object), null, 1).replace(UID, 'uid');
  const details = (object['details'] ?? {}) as { causes?: { reason: string; field: string }[] };
  const causes = (details.causes ?? []).map(({ reason, field }) => `${reason} ${field}`).sort();
  // A client's fault that the Go API server takes for its own.
  return JSON.stringify({ status: status === 500 ? 400 : status, causes: status === 409 ? causes : [] });
}

function withoutIdentity(object: Record<string, unknown>): unknown {
  const { metadata, ...rest } = object as { metadata: Record<string, unknown> };
  const { uid: _u, resourceVersion: _r, creationTimestamp: _c, managedFields, ...meta } = metadata;
  const entries = (managedFields ?? []) as { time?: string }[];
  // Seconds may pass between one server's answer and the other's, and entries are sorted by them.
  const timeless = entries.map((entry) =>
    JSON.stringify({ ...entry, time: entry.time === undefined ? 'none' : 'some' }),
  );
  return sorted({ ...rest, metadata: { ...meta, managedFields: timeless.sort() } });
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}
