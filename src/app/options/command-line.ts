import { parseArgs } from 'node:util';
import type { NamingProfile, ProfileName } from '../../names/profile.ts';
import { loadNames } from '../../names/load.ts';
import type { IndexFile } from '../../schema/index-format.ts';
import { readBuilt } from './built.ts';
import { checkRows, warnings } from './check-rows.ts';
import { complete, type CompletedConfig, type Surroundings } from './complete.ts';
import { loadGateTable } from './feature-gates.ts';
import { loadFlagTable } from './flag-table.ts';
import { formatHelp } from './help.ts';
import { readOptions } from './options.ts';
import { parseFlags } from './parse-flags.ts';

/** What a command line asks for. */
export type Request =
  | { readonly kind: 'help'; readonly text: string }
  /** `detail` is what `--version=` was given: `true` or `raw`. */
  | { readonly kind: 'version'; readonly detail: string }
  | { readonly kind: 'problems'; readonly problems: readonly string[] }
  | {
      readonly kind: 'serve';
      readonly config: CompletedConfig;
      readonly names: NamingProfile;
      readonly warnings: readonly string[];
    };

/** What the process says. */
export interface Invocation {
  /** Without the program's own name. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly machine: Pick<Surroundings, 'workingDirectory' | 'hostname' | 'addresses'>;
  /** Release that is served, `major.minor`. */
  readonly release: string;
}

/**
 * Reads a command line to its end: parsed, checked against the table, completed. Everything that is wrong is in
 * `problems`.
 *
 * @throws Error when the schemas have not been built.
 */
export function readCommandLine({ argv, env, machine, release }: Invocation): Request {
  const profile = profileOf(argv, env);
  const table = loadFlagTable(profile);
  const { values, problems } = parseFlags(table, argv, env);
  if (values.boolean('help'))
    return { kind: 'help', text: formatHelp(table, loadGateTable(profile), release) };
  const detail = values.text('version');
  if (detail !== 'false') return { kind: 'version', detail };

  const names = loadNames({ profile });
  const completion = complete(readOptions(values), {
    names,
    release,
    gates: loadGateTable(profile),
    resources: (readBuilt(profile, 'index') as IndexFile).resources,
    ...machine,
  });
  const wrong = [...problems, ...checkRows(values), ...('problems' in completion ? completion.problems : [])];
  if ('problems' in completion || wrong.length > 0) return { kind: 'problems', problems: wrong };
  return {
    kind: 'serve',
    config: completion.config,
    names,
    warnings: [...warnings(table, values), ...completion.warnings],
  };
}

/** The naming profile decides in which names the table's own values are, so it is looked for first. */
function profileOf(argv: readonly string[], env: Invocation['env']): ProfileName {
  const { values } = parseArgs({
    args: [...argv],
    options: { naming: { type: 'string' } },
    strict: false,
    allowPositionals: true,
  });
  return (values.naming ?? env['ORCH_NAMING']) === 'kubernetes' ? 'kubernetes' : 'orch';
}
