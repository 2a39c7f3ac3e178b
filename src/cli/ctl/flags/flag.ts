/**
 * A flag of a command, as data: what parsing, `--help` and completion know about it. Spelling and meaning follow pflag,
 * which users' fingers and scripts know: `--name value`, `--name=value`, `-n value`, `-nvalue`, `-n=value`, `--switch=false`.
 */
export type Flag = SwitchFlag | TextFlag | NumberFlag | DurationFlag | ListFlag;

interface CommonFlag {
  readonly short?: string;
  /** One sentence for `--help`. */
  readonly help: string;
  /** Understood, but not shown. */
  readonly hidden?: boolean;
}

export interface SwitchFlag extends CommonFlag {
  readonly type: 'switch';
  readonly default?: boolean;
}

export interface TextFlag extends CommonFlag {
  readonly type: 'text';
  readonly default?: string;
  /** What the bare flag means. Such a flag takes a value only behind `=`. */
  readonly bare?: string;
  /** The only values there are. */
  readonly choices?: readonly string[];
  /** What completion offers. */
  readonly completes?: 'namespaces' | 'contexts' | 'clusters' | 'users' | 'files' | 'containers';
}

/** A whole number. */
export interface NumberFlag extends CommonFlag {
  readonly type: 'number';
  readonly default?: number;
}

/** `90s`, `1m30s`, `0`; milliseconds for the command. */
export interface DurationFlag extends CommonFlag {
  readonly type: 'duration';
  readonly default?: number;
}

/** Can be given more than once. */
export interface ListFlag extends CommonFlag {
  readonly type: 'list';
  /** Whether one value may hold several between commas. */
  readonly commas?: boolean;
  readonly completes?: 'files';
}

export type Flags = Readonly<Record<string, Flag>>;

/** What a command gets for its flags, by their long names. Absent ones without default are undefined, lists empty. */
export type FlagValues<F extends Flags> = { readonly [Name in keyof F]: FlagValue<F[Name]> };

type FlagValue<F extends Flag> = F extends { type: 'switch' }
  ? boolean
  : F extends { type: 'list' }
    ? readonly string[]
    : Defaulted<F, F extends { type: 'text' } ? string : number>;

type Defaulted<F, Value> = F extends { default: Value } ? Value : Value | undefined;

/** Types a table of flags by its rows. */
export function defineFlags<const F extends Flags>(flags: F): F {
  return flags;
}
