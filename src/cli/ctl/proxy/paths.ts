/** A request's path, as it goes on to the server and as filters see it. */
export interface ProxiedPath {
  /** With the query, as it came. */
  readonly sent: string;
  readonly decoded: string;
}

/**
 * Takes the prefix off a path, but one that begins with `/api`, which the server has itself.
 *
 * @returns undefined for paths that don't begin with it.
 */
export function proxiedPath(url: string, prefix: string): ProxiedPath | undefined {
  const question = url.indexOf('?');
  const [path, query] = question < 0 ? [url, ''] : [url.slice(0, question), url.slice(question)];
  if (!path.startsWith(prefix)) return undefined;
  const own = prefix.startsWith('/api') ? path : `/${path.slice(prefix.length)}`;
  try {
    return { sent: own + query, decoded: decodeURIComponent(own) };
  } catch {
    return undefined;
  }
}

/** Whether a path could be read as another one, which filters would not have seen. */
export function isAmbiguous(decoded: string): boolean {
  return /\/(?:\.{0,2}\/|\.{1,2}$)/.test(decoded);
}
