import { ApiError } from '../errors/api-error.ts';
import { badRequestError } from '../errors/status-errors.ts';
import type { Backend } from '../outbound/backend.ts';
import { HostError, type LocateHost } from '../outbound/locate.ts';

/** What the name in a path to a proxy says. */
export interface TargetName {
  readonly scheme: 'http' | 'https';
  readonly name: string;
  /** '' where it isn't said; a number or, of services, a name. */
  readonly port: string;
}

/** Reads `name`, `name:port` and `scheme:name:port`, where the scheme may be empty. @returns undefined for others. */
export function splitTarget(text: string): TargetName | undefined {
  const parts = text.split(':');
  if (parts.length > 3) return undefined;
  const [scheme, name, port] = parts.length === 3 ? parts : ['', ...parts];
  if (name === undefined || name === '' || !['', 'http', 'https'].includes(scheme ?? '')) return undefined;
  return { scheme: scheme === 'https' ? 'https' : 'http', name, port: port ?? '' };
}

/** The same, of a path to `what`. @throws ApiError 400. */
export function readTarget(what: string, text: string): TargetName {
  const target = splitTarget(text);
  if (target === undefined) throw badRequestError(`invalid ${what} request ${JSON.stringify(text)}`);
  return target;
}

/** The addresses of a host. @throws ApiError 400 for hosts that requests aren't passed on to. */
export async function located(host: string, locate: LocateHost): Promise<NonNullable<Backend['addresses']>> {
  try {
    return await locate(host);
  } catch (error) {
    if (error instanceof HostError) throw badRequestError(error.message);
    throw error;
  }
}

/** The number of a port. @throws ApiError 503, as for any server that can't be reached. */
export function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port >= 1 && port <= 65_535) return port;
  throw new ApiError(
    'ServiceUnavailable',
    `error trying to reach service: ${JSON.stringify(text)} is no port`,
  );
}
