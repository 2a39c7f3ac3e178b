/**
 * Whether an etcd of this version tells progress only once a watch has everything up to it: since 3.4.31 and 3.5.13.
 * Before, an answer could overtake the events it speaks of.
 */
export function isProgressReliable(version: string): boolean {
  const match = /^(\d+)\.(\d+)\.(\d+)(-.+)?/.exec(version);
  if (match === null) return false;
  const [major, minor, patch] = match.slice(1, 4).map(Number) as [number, number, number];
  // A pre-release comes before its release.
  const known = match[4] === undefined ? patch : patch - 1;
  if (major !== 3) return major > 3;
  if (minor === 4) return known >= 31;
  if (minor === 5) return known >= 13;
  return minor > 5;
}

/** What each endpoint's server is able to do, learned once per endpoint from its version. */
export class ProgressSupport {
  readonly #reliable = new Map<string, boolean>();

  /** Whether progress can be asked for: yes if every endpoint known so far, and at least one, is reliable. */
  get everywhere(): boolean {
    let any = false;
    for (const reliable of this.#reliable.values()) {
      if (!reliable) return false;
      any = true;
    }
    return any;
  }

  learn(url: string, version: string): boolean {
    const reliable = isProgressReliable(version);
    this.#reliable.set(url, reliable);
    return reliable;
  }

  known(url: string): boolean | undefined {
    return this.#reliable.get(url);
  }
}
