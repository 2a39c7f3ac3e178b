/** How strict a policy is. */
export type Level = 'privileged' | 'baseline' | 'restricted';

export const LEVELS: readonly Level[] = ['privileged', 'baseline', 'restricted'];

/** The release whose rules a policy means: the minor number of 1.x, or Infinity for the latest rules. */
export type PolicyVersion = number;

export interface LevelVersion {
  readonly level: Level;
  readonly version: PolicyVersion;
}

/** What is refused, recorded and warned of in a namespace. */
export interface Policy {
  readonly enforce: LevelVersion;
  readonly audit: LevelVersion;
  readonly warn: LevelVersion;
}

export type Mode = keyof Policy;

export const MODES: readonly Mode[] = ['enforce', 'audit', 'warn'];

/** The labels of namespaces that say their policies, by mode. */
export type PolicyLabels = Readonly<Record<Mode, { readonly level: string; readonly version: string }>>;

/** A label that says nothing sensible. */
export interface BadLabel {
  readonly label: string;
  readonly value: string;
  readonly problem: string;
}

/** What the labels of a namespace come to. */
export interface NamespacePolicy {
  readonly policy: Policy;
  readonly errors: readonly BadLabel[];
}

export const LATEST: PolicyVersion = Infinity;

/** What holds where nobody says anything. */
export const UNRESTRICTED: Policy = {
  enforce: { level: 'privileged', version: LATEST },
  audit: { level: 'privileged', version: LATEST },
  warn: { level: 'privileged', version: LATEST },
};

export const LEVEL_RULE = `must be one of ${LEVELS.join(', ')}`;
export const VERSION_RULE = 'must be "latest" or "v1.x"';

/** @returns undefined for a text that is no level */
export function parseLevel(text: string): Level | undefined {
  return LEVELS.find((level) => level === text);
}

/** `latest` or `v1.x`. @returns undefined for another text */
export function parseVersion(text: string): PolicyVersion | undefined {
  if (text === 'latest') return LATEST;
  const minor = /^v1\.(0|[1-9]\d{0,8})$/.exec(text)?.[1];
  return minor === undefined ? undefined : Number(minor);
}

/** `v1.x` or `latest`. */
export function formatVersion(version: PolicyVersion): string {
  return version === LATEST ? 'latest' : `v1.${version}`;
}

/** `level:version`, as messages name policies. */
export function formatPolicy({ level, version }: LevelVersion): string {
  return `${level}:${formatVersion(version)}`;
}

/** Positive where the first is stricter. */
export function compareLevels(a: Level, b: Level): number {
  return LEVELS.indexOf(a) - LEVELS.indexOf(b);
}

export function samePolicy(a: LevelVersion, b: LevelVersion): boolean {
  return a.level === b.level && a.version === b.version;
}

/** Whether a policy, in all modes, allows everything. */
export function isUnrestricted(policy: Policy): boolean {
  return MODES.every((mode) => policy[mode].level === 'privileged');
}

/**
 * What a namespace's labels ask for. Labels that say nothing sensible are read strictly where that refuses, and mildly
 * where it only warns or records. Who enforces more than is warned of is warned of that.
 */
export function readPolicy(
  labels: Readonly<Record<string, string>>,
  names: PolicyLabels,
  defaults: Policy,
): NamespacePolicy {
  const errors: BadLabel[] = [];
  const read = (mode: Mode): LevelVersion => {
    const { level, version } = defaults[mode];
    return {
      level: readLabel({ labels, label: names[mode].level, errors }, level, {
        parse: parseLevel,
        rule: LEVEL_RULE,
        otherwise: mode === 'enforce' ? 'restricted' : 'privileged',
      }),
      version: readLabel({ labels, label: names[mode].version, errors }, version, {
        parse: parseVersion,
        rule: VERSION_RULE,
        otherwise: LATEST,
      }),
    };
  };
  const enforce = read('enforce');
  const audit = read('audit');
  const warn = read('warn');
  const said = labelOf(labels, names.enforce.level);
  const warns =
    labelOf(labels, names.warn.level) === undefined &&
    said !== undefined &&
    parseLevel(said) !== undefined &&
    compareLevels(enforce.level, warn.level) > 0;
  if (!warns) return { policy: { enforce, audit, warn }, errors };
  const ownVersion = labelOf(labels, names.warn.version) !== undefined;
  const { level } = enforce;
  return {
    policy: { enforce, audit, warn: { level, version: ownVersion ? warn.version : enforce.version } },
    errors,
  };
}

function labelOf(labels: Readonly<Record<string, string>>, label: string): string | undefined {
  return Object.hasOwn(labels, label) ? labels[label] : undefined;
}

function readLabel<T>(
  { labels, label, errors }: { labels: Readonly<Record<string, string>>; label: string; errors: BadLabel[] },
  byDefault: T,
  { parse, rule, otherwise }: { parse: (text: string) => T | undefined; rule: string; otherwise: T },
): T {
  const value = labelOf(labels, label);
  if (value === undefined) return byDefault;
  const parsed = parse(value);
  if (parsed === undefined) errors.push({ label, value, problem: rule });
  return parsed ?? otherwise;
}
