import type { ProfileName } from '../../names/profile.ts';
import { readBuilt } from './built.ts';

export type Stage = 'alpha' | 'beta' | 'ga' | 'deprecated';

/** What a gate is from a release on; without a release: always. */
export interface GateStage {
  readonly release?: string;
  readonly stage: Stage;
  readonly on: boolean;
  readonly locked?: true;
}

/** `schemas/feature-gates.yaml`; its head explains the columns. */
export interface GateTable {
  readonly gates: Readonly<
    Record<
      string,
      {
        readonly history: readonly GateStage[];
        readonly ours?: true;
        readonly settable?: false;
        /** Why it can't be turned on. */
        readonly unsupported?: string;
      }
    >
  >;
}

/** Which features are on. Read in `app/` only, which passes values or chooses implementations. */
export interface FeatureGates {
  /** @throws Error for a name that no row has (a bug of ours). */
  enabled(name: string): boolean;
  /** Every gate, `AllAlpha` and `AllBeta` too, sorted by name. */
  all(): readonly { readonly name: string; readonly stage: Stage; readonly enabled: boolean }[];
}

export interface ResolvedGates {
  readonly gates: FeatureGates;
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

/** These switch all gates of a stage that are not set themselves. */
const STAGE_GATES: Readonly<Record<string, Stage>> = { AllAlpha: 'alpha', AllBeta: 'beta' };

/** Reads the table of gates. @throws Error when the schemas have not been built. */
export function loadGateTable(profile: ProfileName): GateTable {
  return readBuilt(profile, 'feature-gates') as GateTable;
}

/**
 * What `--feature-gates` comes to in a release.
 *
 * @param settings `Name` or `component:Name` → `true` or `false`, as given.
 * @param release `major.minor`: gates are what they are in it; those of later releases don't exist.
 */
export function resolveGates(
  table: GateTable,
  settings: ReadonlyMap<string, string>,
  release: string,
): ResolvedGates {
  const problems: string[] = [];
  const warnings: string[] = [];
  const stages = stagesIn(table, release);
  const set = new Map<string, boolean>();
  for (const [key, text] of settings) {
    const name = key.replace(/^kube:/, '');
    const stage = stages.get(name);
    const value = booleanOf(text);
    if (stage === undefined) problems.push(`--feature-gates: unknown feature gate ${key}`);
    else if (value === undefined) problems.push(`--feature-gates: ${key}=${text} is neither true nor false`);
    else if (stage.locked && value !== stage.on) {
      problems.push(`--feature-gates: ${key} can't be ${text}, it is locked to ${stage.on}`);
    } else if (value && table.gates[name]?.unsupported !== undefined) {
      problems.push(`--feature-gates: ${key} can't be true: ${table.gates[name].unsupported}`);
    } else {
      if (stage.stage === 'ga' || stage.stage === 'deprecated') {
        warnings.push(`--feature-gates: ${key} is ${STAGE_WORDS[stage.stage]} and will be removed`);
      }
      if (table.gates[name]?.settable === false) warnings.push(`--feature-gates: ${key} has no effect`);
      else set.set(name, value);
    }
  }
  // Not by `AllAlpha` or `AllBeta` either.
  for (const [name, { unsupported }] of Object.entries(table.gates))
    if (unsupported !== undefined && stages.has(name)) set.set(name, false);
  return { gates: new StagedGates(stages, set), problems, warnings };
}

const STAGE_WORDS = { ga: 'generally available', deprecated: 'deprecated' };

class StagedGates implements FeatureGates {
  readonly #enabled = new Map<string, boolean>();
  readonly #stages: ReadonlyMap<string, GateStage>;

  constructor(stages: ReadonlyMap<string, GateStage>, set: ReadonlyMap<string, boolean>) {
    this.#stages = stages;
    const ofStage = new Map<Stage, boolean>();
    for (const [name, stage] of Object.entries(STAGE_GATES)) {
      const value = set.get(name);
      if (value !== undefined) ofStage.set(stage, value);
    }
    for (const [name, { stage, on, locked }] of stages) {
      const inherited = locked || name in STAGE_GATES ? undefined : ofStage.get(stage);
      this.#enabled.set(name, set.get(name) ?? inherited ?? on);
    }
  }

  enabled(name: string): boolean {
    const value = this.#enabled.get(name);
    if (value === undefined) throw new Error(`no feature gate is called ${name}`);
    return value;
  }

  all(): { name: string; stage: Stage; enabled: boolean }[] {
    return [...this.#stages]
      .map(([name, { stage }]) => ({ name, stage, enabled: this.enabled(name) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}

/** The stage of every gate that exists in a release. */
function stagesIn(table: GateTable, release: string): Map<string, GateStage> {
  const stages = new Map<string, GateStage>();
  for (const [name, stage] of Object.entries(STAGE_GATES)) stages.set(name, { stage, on: false });
  for (const [name, { history }] of Object.entries(table.gates)) {
    const stage = history.findLast((entry) => minor(entry.release ?? '1.0') <= minor(release));
    if (stage !== undefined) stages.set(name, stage);
  }
  return stages;
}

/** Releases all have the major version 1. */
function minor(release: string): number {
  return Number(release.split('.')[1]);
}

function booleanOf(text: string): boolean | undefined {
  if (/^(1|t|true)$/i.test(text)) return true;
  return /^(0|f|false)$/i.test(text) ? false : undefined;
}
