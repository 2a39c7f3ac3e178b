import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { JWK } from 'jose';
import { Provider } from 'oidc-provider';
import { selfSigned } from './certificates.ts';

/** A certified OpenID provider on a port of its own, with the people of a test. */
export interface RunningProvider extends AsyncDisposable {
  readonly issuer: string;
  /** PEM of the authority of its certificate. */
  readonly authority: string;
  /** How often its key set was asked for. */
  readonly keySets: () => number;
  /** Signs with the first from now on, and serves all: sessions begin anew. */
  readonly useKeys: (keys: readonly JWK[]) => void;
  /** Answers nothing at all while it is on. */
  readonly hang: (on: boolean) => void;
  /** Logs a person in at a client, as a browser does, and fetches the ID token. */
  readonly login: (person: string, client?: string) => Promise<string>;
}

/** Where clients of the provider are redirected to; nobody listens there. */
const CALLBACK = 'https://client.example.com/callback';

/** Starts a provider with the clients `orch` and `other`, whose ID tokens last an hour and name `groups` of the person. */
export async function startProvider(
  keys: readonly JWK[],
  groups: Readonly<Record<string, readonly string[]>> = {},
): Promise<RunningProvider> {
  const certificate = await selfSigned();
  let handle = (_request: IncomingMessage, answer: ServerResponse): void => void answer.end();
  let hanging = false;
  let keySets = 0;
  const server = createServer({ ...certificate }, (asked, answer) => {
    if (asked.url === '/jwks') keySets++;
    if (!hanging) handle(asked, answer);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const useKeys = (of: readonly JWK[]): void => {
    const callback = makeProvider(issuer, of, groups).callback();
    handle = (asked, answer) => void callback(asked, answer);
  };
  useKeys(keys);
  return {
    issuer,
    authority: certificate.cert,
    keySets: () => keySets,
    useKeys,
    hang: (on) => (hanging = on),
    login: (person, client = 'orch') => new Browser(certificate.cert).login(issuer, client, person),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function makeProvider(
  issuer: string,
  keys: readonly JWK[],
  groups: Readonly<Record<string, readonly string[]>>,
): Provider {
  // It tells the console that its login page is for trying out, which is what is done here.
  const { info, warn } = console;
  console.info = console.warn = () => undefined;
  try {
    return new Provider(issuer, {
      jwks: { keys: keys.map((key) => ({ ...key })) },
      clients: ['orch', 'other'].map((id) => ({
        client_id: id,
        client_secret: `secret-of-${id}`,
        redirect_uris: [CALLBACK],
      })),
      cookies: { keys: ['cookie-key'] },
      claims: { openid: ['sub'], groups: ['groups'] },
      conformIdTokenClaims: false,
      findAccount: (_context, id) => ({
        accountId: id,
        claims: () => ({ sub: id, groups: [...(groups[id] ?? [])] }),
      }),
      ttl: { IdToken: 3600, AccessToken: 3600, Grant: 3600, Interaction: 3600, Session: 3600 },
    });
  } finally {
    Object.assign(console, { info, warn });
  }
}

interface Page {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** The authorization code flow with PKCE, through the provider's pages, as a person and a client take it. */
class Browser {
  readonly #authority: string;
  readonly #cookies = new Map<string, string>();

  constructor(authority: string) {
    this.#authority = authority;
  }

  async login(issuer: string, client: string, person: string): Promise<string> {
    const verifier = randomBytes(32).toString('base64url');
    const query = new URLSearchParams({
      client_id: client,
      response_type: 'code',
      redirect_uri: CALLBACK,
      scope: 'openid groups',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    const login = await this.#visit(`${issuer}/auth?${query.toString()}`);
    const consent = await this.#submit(login, { prompt: 'login', login: person, password: 'any' });
    const back = await this.#submit(consent, { prompt: 'consent' });
    const code = new URL(back.at).searchParams.get('code') ?? '';
    const { text } = await this.#send('POST', `${issuer}/token`, {
      form: { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier },
      authorization: `Basic ${Buffer.from(`${client}:secret-of-${client}`).toString('base64')}`,
    });
    const { id_token: token } = JSON.parse(text) as { id_token?: string };
    if (token === undefined) throw new Error(`the provider gave no ID token: ${text}`);
    return token;
  }

  /** Sends the form of a page. @returns the page that it leads to. */
  async #submit(page: { at: string; text: string }, form: Record<string, string>): Promise<Visited> {
    const action = /<form [^>]*action="([^"]+)"/.exec(page.text)?.[1];
    if (action === undefined) throw new Error(`no form at ${page.at}: ${page.text.slice(0, 200)}`);
    const url = new URL(action, page.at).href;
    return this.#follow(url, await this.#send('POST', url, { form }));
  }

  async #visit(url: string): Promise<Visited> {
    return this.#follow(url, await this.#send('GET', url));
  }

  /** Goes where it is redirected to, as far as the provider itself. */
  async #follow(url: string, { headers, text }: Page): Promise<Visited> {
    if (headers.location === undefined) return { at: url, text };
    const next = new URL(headers.location, url).href;
    return next.startsWith(CALLBACK) ? { at: next, text: '' } : this.#visit(next);
  }

  #send(
    method: 'GET' | 'POST',
    url: string,
    { form, authorization }: { form?: Record<string, string>; authorization?: string } = {},
  ): Promise<Page> {
    const headers = {
      cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      ...(authorization === undefined ? {} : { authorization }),
    };
    return new Promise((resolve, reject) => {
      request(url, { method, headers, ca: this.#authority, agent: false }, (answer) => {
        for (const cookie of answer.headers['set-cookie'] ?? []) this.#keep(cookie);
        let text = '';
        answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        answer.on('end', () => resolve({ headers: answer.headers, text }));
      })
        .on('error', reject)
        .end(form === undefined ? undefined : new URLSearchParams(form).toString());
    });
  }

  #keep(cookie: string): void {
    const [pair = ''] = cookie.split(';', 1);
    const at = pair.indexOf('=');
    if (at < pair.length - 1) this.#cookies.set(pair.slice(0, at), pair.slice(at + 1));
    else this.#cookies.delete(pair.slice(0, at));
  }
}

interface Visited {
  readonly at: string;
  readonly text: string;
}
