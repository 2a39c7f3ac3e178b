import { isIP } from 'node:net';
import { invalid, notSupported, required, type FieldError } from '../../errors/field-error.ts';
import { FieldPath } from '../../errors/field-path.ts';
import { objectAt, objectsAt, sizeOf, textAt } from '../../meta/fields.ts';
import { dnsSubdomainProblems } from '../../meta/names.ts';
import type { ApiObject, Json, JsonObject } from '../../meta/object.ts';
import type { TypeCheck } from '../../schema/rules/rule-book.ts';
import { addProblems } from '../problems.ts';
import { checkBackend } from './backend.ts';
import { wildcardProblems } from './wildcard.ts';

/** Specs of Ingresses. What an earlier release let pass may stay as it is. */
export const ingressSpec: TypeCheck = (spec, at, { errors, old }) => {
  const before = objectAt(old, 'spec');
  const backend = objectAt(spec, 'defaultBackend');
  const rules = objectsAt(spec, 'rules');
  if (rules.length === 0 && backend === undefined) {
    errors.push(invalid(at, spec['rules'], 'needs a defaultBackend or rules'));
  }
  if (backend !== undefined) checkBackend(backend, at.child('defaultBackend'), errors);
  const anyWildcard = old !== undefined && hasWrongWildcardRule(before);
  for (const [i, rule] of rules.entries())
    checkRule(rule, at.child('rules').index(i), { errors, anyWildcard });
  const anySecret = old !== undefined && hasWrongSecretName(before);
  for (const [i, tls] of objectsAt(spec, 'tls').entries())
    checkTls(tls, at.child('tls').index(i), { errors, anySecret });
  const { ingressClassName: name } = spec;
  if (typeof name === 'string')
    addProblems(errors, at.child('ingressClassName'), name, dnsSubdomainProblems(name));
};

interface RuleContext {
  readonly errors: FieldError[];
  /** Whether rules for wildcard hosts are left alone. */
  readonly anyWildcard: boolean;
}

function checkRule(rule: JsonObject, at: FieldPath, { errors, anyWildcard }: RuleContext): void {
  const host = textAt(rule, 'host');
  if (host !== '') checkHost(host, at.child('host'), errors);
  if (isIP(host) !== 0) errors.push(invalid(at.child('host'), host, 'must be a DNS name, not an IP address'));
  const http = objectAt(rule, 'http');
  if (http === undefined || (anyWildcard && host.includes('*'))) return;
  const paths = at.child('http').child('paths');
  if (sizeOf(http['paths']) === 0) errors.push(required(paths));
  for (const [i, path] of objectsAt(http, 'paths').entries()) checkPath(path, paths.index(i), errors);
}

function checkHost(host: string, at: FieldPath, errors: FieldError[]): void {
  addProblems(errors, at, host, host.includes('*') ? wildcardProblems(host) : dnsSubdomainProblems(host));
}

const PATH_TYPES = ['Exact', 'ImplementationSpecific', 'Prefix'];
/** What would make a path another one, once somebody resolves it. */
const FORBIDDEN_PARTS = ['//', '/./', '/../', '%2f', '%2F'];
const FORBIDDEN_ENDS = ['/..', '/.'];

function checkPath(path: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const type = path['pathType'] ?? undefined;
  if (type === undefined) {
    errors.push(required(at.child('pathType'), 'says how the path is matched'));
    return;
  }
  const text = textAt(path, 'path');
  if (type === 'ImplementationSpecific') checkAbsolute(text, { at, errors, mayBeEmpty: true });
  else if (type === 'Exact' || type === 'Prefix') checkExactPath(text, at, errors);
  else errors.push(notSupported(at.child('pathType'), type, PATH_TYPES));
  checkBackend(objectAt(path, 'backend') ?? {}, at.child('backend'), errors);
}

function checkExactPath(text: string, at: FieldPath, errors: FieldError[]): void {
  checkAbsolute(text, { at, errors, mayBeEmpty: false });
  for (const part of FORBIDDEN_PARTS)
    if (text.includes(part)) errors.push(invalid(at.child('path'), text, `must not contain '${part}'`));
  for (const end of FORBIDDEN_ENDS)
    if (text.endsWith(end)) errors.push(invalid(at.child('path'), text, `must not end with '${end}'`));
}

function checkAbsolute(
  text: string,
  {
    at,
    errors,
    mayBeEmpty,
  }: { readonly at: FieldPath; readonly errors: FieldError[]; readonly mayBeEmpty: boolean },
): void {
  if (text.startsWith('/') || (mayBeEmpty && text === '')) return;
  errors.push(invalid(at.child('path'), text, 'must be an absolute path'));
}

interface TlsContext {
  readonly errors: FieldError[];
  /** Whether names of secrets are left alone. */
  readonly anySecret: boolean;
}

function checkTls(tls: JsonObject, at: FieldPath, { errors, anySecret }: TlsContext): void {
  for (const [i, host] of texts(tls['hosts']).entries()) checkHost(host, at.child('hosts').index(i), errors);
  const secret = textAt(tls, 'secretName');
  if (secret !== '' && !anySecret)
    addProblems(errors, at.child('secretName'), secret, dnsSubdomainProblems(secret));
}

function texts(list: Json | undefined): string[] {
  return Array.isArray(list) ? list.map((item) => (typeof item === 'string' ? item : '')) : [];
}

function hasWrongSecretName(spec: JsonObject | undefined): boolean {
  return objectsAt(spec, 'tls').some((tls) => {
    const name = textAt(tls, 'secretName');
    return name !== '' && dnsSubdomainProblems(name).length > 0;
  });
}

function hasWrongWildcardRule(spec: JsonObject | undefined): boolean {
  return objectsAt(spec, 'rules').some((rule) => {
    if (!textAt(rule, 'host').includes('*')) return false;
    const errors: FieldError[] = [];
    for (const path of objectsAt(objectAt(rule, 'http'), 'paths')) checkPath(path, FieldPath.ROOT, errors);
    return errors.length > 0;
  });
}

/** What is wrong with the addresses that a controller says an Ingress has. */
export function ingressStatusErrors(ingress: ApiObject): FieldError[] {
  const errors: FieldError[] = [];
  const balancer = objectAt(objectAt(ingress, 'status'), 'loadBalancer');
  for (const [i, point] of objectsAt(balancer, 'ingress').entries()) {
    const at = `status.loadBalancer.ingress[${i}]`;
    const ip = textAt(point, 'ip');
    if (ip !== '' && isIP(ip) === 0) errors.push(invalid(`${at}.ip`, ip, 'must be an IP address'));
    const hostname = textAt(point, 'hostname');
    if (hostname === '') continue;
    addProblems(errors, `${at}.hostname`, hostname, dnsSubdomainProblems(hostname));
    if (isIP(hostname) !== 0) {
      errors.push(invalid(`${at}.hostname`, hostname, 'must be a DNS name, not an IP address'));
    }
  }
  return errors;
}
