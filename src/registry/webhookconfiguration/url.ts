import { invalid, required, type FieldError } from '../../errors/field-error.ts';
import type { FieldPath } from '../../errors/field-path.ts';
import { numberAt, textAt } from '../../meta/fields.ts';
import { dnsSubdomainProblems } from '../../meta/names.ts';
import type { JsonObject } from '../../meta/object.ts';
import { addProblems } from '../problems.ts';

const MAX_PORT = 65_535;
/** Scheme, authority, path, query and fragment of a reference (RFC 3986, appendix B). */
const PARTS = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(\?[^#]*)?(#.*)?$/s;
/** What makes a text no URL at all: odd escapes, ports that are none, control characters. */
// eslint-disable-next-line no-control-regex
const BROKEN = /%(?![0-9A-Fa-f]{2})|[\x00-\x1f\x7f]/;

/** Where a webhook is called by its address: over TLS, by nothing but host and path. */
export function checkUrl(text: string, at: FieldPath, errors: FieldError[]): void {
  const match = PARTS.exec(text);
  const [, scheme = '', authority = '', , query = '', fragment = ''] = match ?? [];
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  if (
    match === null ||
    BROKEN.test(text) ||
    host.includes(' ') ||
    !/^(\[[^\]]*\]|[^:]*)(:\d*)?$/.test(host)
  ) {
    errors.push(required(at, 'must be a URL, such as https://host/path'));
    return;
  }
  if (scheme.toLowerCase() !== 'https') errors.push(invalid(at, scheme, 'must begin with https://'));
  if (host === '') errors.push(invalid(at, host, 'must have a host'));
  if (authority.includes('@')) errors.push(invalid(at, authority, 'must name no user'));
  if (fragment.length > 1) errors.push(invalid(at, fragment, 'must have no fragment'));
  if (query.length > 1) errors.push(invalid(at, query, 'must have no query'));
}

/** Where a webhook is called as a service. */
export function checkService(service: JsonObject, at: FieldPath, errors: FieldError[]): void {
  // Clients know it the other way round: each is told of where the other is missing.
  if (textAt(service, 'name') === '') errors.push(required(at.child('namespace')));
  if (textAt(service, 'namespace') === '') errors.push(required(at.child('name')));
  const port = numberAt(service, 'port');
  if (port < 1 || port > MAX_PORT)
    errors.push(invalid(at.child('port'), port, `must be from 1 to ${MAX_PORT}`));
  checkPath(textAt(service, 'path'), at.child('path'), errors);
}

/** Segments of a path are DNS subdomains; one slash may follow. */
function checkPath(path: string, at: FieldPath, errors: FieldError[]): void {
  if (path === '' || path === '/') return;
  if (!path.startsWith('/')) errors.push(invalid(at, path, 'must begin with /'));
  const segments = path.slice(1).replace(/\/$/, '').split('/');
  for (const segment of segments) {
    if (segment === '') errors.push(invalid(at, path, 'must have no empty segments'));
    else addProblems(errors, at, path, dnsSubdomainProblems(segment));
  }
}
