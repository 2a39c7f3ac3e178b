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
