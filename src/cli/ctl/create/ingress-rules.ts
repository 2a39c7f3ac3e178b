import type { JsonObject } from '../../../meta/object.ts';
import { CtlError } from '../errors.ts';

/** `host/path=service:port[,tls[=secret]]`, with what may follow ignored, as in kubectl. */
const RULE = /^([\w*.-]*)(\/[^,=]*)=([\w-]+):([\w-]+)(?:,(tls)=?([\w-]+)?)?/;

interface IngressRule {
  readonly host: string;
  readonly path: string;
  readonly service: string;
  readonly port: string;
  /** '' for the controller's own certificate; undefined for none. */
  readonly secret: string | undefined;
}

/** What rules on the command line make of `spec`. @throws CtlError for a rule that can't be understood. */
export function ingressSpec(texts: readonly string[]): JsonObject {
  const rules = texts.map(parseRule);
  const [hosts, certificates] = [hostRules(rules), tlsEntries(rules)];
  return {
    ...(hosts.length === 0 ? {} : { rules: hosts }),
    ...(certificates.length === 0 ? {} : { tls: certificates }),
  };
}

/** The backend that `SERVICE:PORT` names. @throws CtlError */
export function serviceBackend(text: string): JsonObject {
  const [name = '', port, more] = text.split(':');
  if (port === undefined || more !== undefined)
    throw new CtlError('default-backend should be in format servicename:serviceport');
  return backend(name, port);
}

function parseRule(text: string): IngressRule {
  const match = RULE.exec(text);
  if (match === null)
    throw new CtlError(
      `rule ${text} is invalid and should be in format host/path=svcname:svcport[,tls[=secret]]`,
    );
  const [, host = '', path = '', service = '', port = '', tls, secret = ''] = match;
  return { host, path, service, port, secret: tls === undefined ? undefined : secret };
}

function hostRules(rules: readonly IngressRule[]): JsonObject[] {
  const byHost = new Map<string, JsonObject[]>();
  for (const rule of rules) byHost.set(rule.host, [...(byHost.get(rule.host) ?? []), httpPath(rule)]);
  return [...byHost].map(([host, paths]) => ({ ...(host === '' ? {} : { host }), http: { paths } }));
}

/** A path that ends in a star stands for all that begin with what is before it. */
function httpPath({ path, service, port }: IngressRule): JsonObject {
  const prefix = path.endsWith('*');
  return {
    backend: backend(service, port),
    path: prefix ? path.slice(0, -1) : path,
    pathType: prefix ? 'Prefix' : 'Exact',
  };
}

function backend(name: string, port: string): JsonObject {
  return { service: { name, port: /^-?\d+$/.test(port) ? { number: Number(port) } : { name: port } } };
}

/** Hosts by their secret; a host counts once. */
function tlsEntries(rules: readonly IngressRule[]): JsonObject[] {
  const hostsBySecret = new Map<string, string[]>();
  const seen = new Set<string>();
  for (const { host, secret } of rules) {
    if (secret === undefined || seen.has(host)) continue;
    seen.add(host);
    const hosts = hostsBySecret.get(secret) ?? [];
    if (host !== '') hosts.push(host);
    if (host !== '' || secret !== '') hostsBySecret.set(secret, hosts);
  }
  return [...hostsBySecret].map(([secretName, hosts]) => ({
    ...(hosts.length === 0 ? {} : { hosts }),
    ...(secretName === '' ? {} : { secretName }),
  }));
}
