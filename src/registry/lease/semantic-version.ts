/** The numbers of a semantic version (semver.org), and what makes it one before its release. */
export interface SemanticVersion {
  readonly numbers: readonly number[];
  readonly prerelease: readonly string[];
}

const PATTERN = /^(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/;

/** @returns undefined for what is no version. */
export function parseVersion(text: string): SemanticVersion | undefined {
  const match = PATTERN.exec(text);
  if (match === null) return undefined;
  const numbers = match.slice(1, 4);
  if (numbers.some((number) => number.length > 1 && number.startsWith('0'))) return undefined;
  const prerelease = match[4]?.split('.') ?? [];
  return prerelease.includes('') ? undefined : { numbers: numbers.map(Number), prerelease };
}

/** Negative where `a` comes before `b`. */
export function compareVersions(a: SemanticVersion, b: SemanticVersion): number {
  for (const [i, number] of a.numbers.entries()) {
    const difference = number - (b.numbers[i] ?? 0);
    if (difference !== 0) return difference;
  }
  // A release comes after everything before it.
  if (a.prerelease.length === 0 || b.prerelease.length === 0)
    return b.prerelease.length - a.prerelease.length;
  for (const [i, part] of a.prerelease.entries()) {
    const difference = comparePart(part, b.prerelease[i]);
    if (difference !== 0) return difference;
  }
  return a.prerelease.length - b.prerelease.length;
}

/** Numbers by size, and before texts. */
function comparePart(a: string, b: string | undefined): number {
  if (b === undefined) return 1;
  const [first, second] = [a, b].map((part) => (/^\d+$/.test(part) ? Number(part) : Infinity)) as [
    number,
    number,
  ];
  if (first !== second) return first < second ? -1 : 1;
  return a === b ? 0 : a < b ? -1 : 1;
}
