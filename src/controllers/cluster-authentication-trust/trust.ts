import { X509Certificate } from 'node:crypto';
import { pemBlocks } from '../../lib/x509/pem.ts';
import { textAt } from '../../meta/fields.ts';
import type { JsonObject } from '../../meta/object.ts';

/** By what a server knows its clients, as servers behind it may know them too. */
export interface ClusterTrust {
  /** Authorities of clients, PEM; '' for none. */
  readonly clients: string;
  /** Authorities of authenticating proxies, PEM; '' for none: the rest says nothing then. */
  readonly proxies: string;
  readonly allowedNames: readonly string[];
  readonly usernameHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
}

const CLIENT_CA = 'client-ca-file';
const PROXY_CA = 'requestheader-client-ca-file';

/** What the lists of a {@link ClusterTrust} are called in data. */
const LISTS = {
  usernameHeaders: 'requestheader-username-headers',
  uidHeaders: 'requestheader-uid-headers',
  groupHeaders: 'requestheader-group-headers',
  extraHeaderPrefixes: 'requestheader-extra-headers-prefix',
  allowedNames: 'requestheader-allowed-names',
} as const;

/** More is not kept of what others said. */
const MAX_LENGTH = 1 << 19;

/**
 * Adds what a server knows to what others have published: servers may know different authorities, and old ones are
 * needed until they have expired. What nobody can read of it is left out.
 *
 * @param data of the ConfigMap. @param now milliseconds since 1970.
 */
export function combinedTrust(data: JsonObject, own: ClusterTrust, now: number): Record<string, string> {
  const combined = combine(data, own, now);
  const length = Object.values(combined).reduce((sum, text) => sum + text.length, 0);
  return length <= MAX_LENGTH ? combined : combine({}, own, now);
}

function combine(data: JsonObject, own: ClusterTrust, now: number): Record<string, string> {
  const clients = certificates([textAt(data, CLIENT_CA), own.clients], now);
  const proxies = certificates([textAt(data, PROXY_CA), own.proxies], now);
  const combined: Record<string, string> = clients === '' ? {} : { [CLIENT_CA]: clients };
  if (proxies === '') return combined;
  combined[PROXY_CA] = proxies;
  const ours = own.proxies === '' ? undefined : own;
  for (const [list, key] of Object.entries(LISTS) as [keyof typeof LISTS, string][]) {
    const all = [...new Set([...listIn(textAt(data, key)), ...(ours?.[list] ?? [])])];
    // Readers of old don't know this one.
    if (list !== 'uidHeaders' || all.length > 0) combined[key] = JSON.stringify(all);
  }
  return combined;
}

/** The certificates of some texts that have not expired, each once, PEM. */
function certificates(texts: readonly string[], now: number): string {
  const found = new Set<string>();
  for (const { label, bytes } of texts.flatMap((text) => [...pemBlocks(text)])) {
    const certificate = label === 'CERTIFICATE' ? readCertificate(bytes) : undefined;
    if (certificate !== undefined && Date.parse(certificate.validTo) >= now)
      found.add(certificate.toString());
  }
  return [...found].join('');
}

function readCertificate(bytes: Buffer): X509Certificate | undefined {
  try {
    return new X509Certificate(bytes);
  } catch {
    return undefined;
  }
}

function listIn(text: string): readonly string[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}
