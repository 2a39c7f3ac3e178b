import { RE2JS } from 're2js';
import { CtlError } from '../errors.ts';

export interface FilterChoice {
  readonly 'accept-paths': string;
  readonly 'reject-paths': string;
  readonly 'accept-hosts': string;
  readonly 'reject-methods': string;
}

export interface FilteredRequest {
  readonly method: string;
  /** Decoded, without the query. */
  readonly path: string;
  /** Value of the header. */
  readonly host: string;
}

/** Says which requests a proxy passes on: pages of the web must not reach the server in the user's name. */
export type RequestFilter = (request: FilteredRequest) => boolean;

/** @throws CtlError for expressions that are none. */
export function requestFilter(choice: FilterChoice): RequestFilter {
  const [acceptPaths, rejectPaths, acceptHosts, rejectMethods] = (
    ['accept-paths', 'reject-paths', 'accept-hosts', 'reject-methods'] as const
  ).map((flag) => matcher(flag, choice[flag])) as [Matcher, Matcher, Matcher, Matcher];
  return ({ method, path, host }) =>
    !rejectPaths(path) && !rejectMethods(method) && acceptPaths(path) && hostsOf(host).some(acceptHosts);
}

type Matcher = (text: string) => boolean;

/** Expressions between commas, one of which must match somewhere. */
function matcher(flag: string, list: string): Matcher {
  const expressions = (list === '' ? [] : list.split(',')).map((text) => {
    try {
      return RE2JS.compile(text);
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new CtlError(`--${flag}: ${JSON.stringify(text)} is no regular expression: ${why}`, { cause });
    }
  });
  return (text) => expressions.some((expression) => expression.matcher(text).find());
}

/** A host without its port; an IPv6 address with its brackets and without them. */
function hostsOf(header: string): readonly string[] {
  const bracketed = /^\[([^\]]*)\](?::\d*)?$/.exec(header);
  if (bracketed !== null) return [`[${bracketed[1]}]`, bracketed[1] ?? ''];
  return [header.replace(/:\d*$/, '')];
}
