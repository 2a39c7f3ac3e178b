import { createHmac } from 'node:crypto';

/**
 * Signs a text with a bootstrap token (JWS with HMAC SHA-256, RFC 7515, without the text itself). The key is the part of
 * the token after the dot: that is what clients verify with.
 */
export function detachedSignature(text: string, { id, secret }: { id: string; secret: string }): string {
  const header = base64Url(JSON.stringify({ alg: 'HS256', kid: id }));
  const signature = createHmac('sha256', secret)
    .update(`${header}.${base64Url(text)}`)
    .digest('base64url');
  return `${header}..${signature}`;
}

function base64Url(text: string): string {
  return Buffer.from(text).toString('base64url');
}
