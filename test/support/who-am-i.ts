import { HttpsTransport } from '../../src/client/https/https-transport.ts';
import type { HttpsTransportOptions } from '../../src/client/https/https-transport.ts';
import { fixedCredentials } from '../../src/client/https/credentials.ts';
import { readBounded } from '../../src/outbound/bounded-body.ts';

/** A user as the server knows them. */
export interface KnownUser {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export interface WhoAmIOptions {
  readonly token?: string;
  readonly headers?: HttpsTransportOptions['headers'];
  readonly certificate?: { readonly cert: string; readonly key: string };
}

/** Asks a server, in the names of the default profile, who its client is. @returns the user, or the status of a refusal. */
export async function whoAmI(server: string, options: WhoAmIOptions = {}): Promise<KnownUser | number> {
  const { token, headers = {}, certificate } = options;
  const transport = new HttpsTransport({
    ...{ server, insecure: true, headers },
    credentials: fixedCredentials({
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(certificate === undefined ? {} : { certificate }),
    }),
  });
  try {
    const { status, body } = await transport.send({
      method: 'POST',
      path: '/apis/authentication.orch.io/v1/selfsubjectreviews',
      headers: { 'content-type': 'application/json' },
      body: '{"apiVersion":"authentication.orch.io/v1","kind":"SelfSubjectReview"}',
    });
    const text = (await readBounded(body, 1 << 20)).toString('utf8');
    if (status !== 201) return status;
    const review = JSON.parse(text) as { status: { userInfo: KnownUser } };
    return review.status.userInfo;
  } finally {
    await transport.close();
  }
}
