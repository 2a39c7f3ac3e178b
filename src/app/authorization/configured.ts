import { readFile, stat } from 'node:fs/promises';
import { checkAuthorizers, type CheckedAuthorizer } from '../../authz/configuration/check.ts';
import { readAuthorizationConfiguration } from '../../authz/configuration/configuration.ts';
import { loadExpressions } from '../../schema/expressions/compile.ts';
import type { NamingProfile } from '../../names/profile.ts';
import type { AuthorizationOptions } from '../options/options.ts';

/** Which authorizers there are to be. */
export interface Configured {
  readonly authorizers: readonly CheckedAuthorizer[];
  /** What the file of `--authorization-config` held; undefined where there is none. */
  readonly text: string | undefined;
}

/** Reads the authorizers from the flags, or from the file that they name. @throws Error that names the flag. */
export async function readConfigured(
  options: AuthorizationOptions,
  names: NamingProfile,
): Promise<Configured> {
  const { configFile } = options;
  if (configFile === '') return { authorizers: flaggedAuthorizers(options), text: undefined };
  try {
    const text = await readFile(configFile, 'utf8');
    return { authorizers: await parseAuthorizers(text, names), text };
  } catch (cause) {
    throw new Error(`--authorization-config: ${configFile}`, { cause });
  }
}

/** Reads the content of a file of authorizers. @throws Error naming everything that is wrong, by field. */
export async function parseAuthorizers(
  text: string,
  names: NamingProfile,
): Promise<readonly CheckedAuthorizer[]> {
  const configuration = readAuthorizationConfiguration(text, names);
  const compiler = await loadExpressions();
  const { checked, errors } = await checkAuthorizers(configuration, { compiler, fileProblem });
  if (errors.length === 0) return checked;
  throw new Error(errors.map(({ field, message }) => `${field}: ${message}`).join(', '));
}

/** As the flags' own form of configuration has them. */
function flaggedAuthorizers({ modes, webhook }: AuthorizationOptions): CheckedAuthorizer[] {
  return modes.map((type) =>
    type === 'Webhook'
      ? {
          type,
          name: 'default',
          webhook: { ...webhook, timeoutMs: 30_000, failurePolicy: 'NoOpinion', conditions: [] },
        }
      : { type, name: type.toLowerCase(), webhook: undefined },
  );
}

async function fileProblem(path: string): Promise<string> {
  try {
    return (await stat(path)).isFile() ? '' : 'must be a regular file';
  } catch (error) {
    return `can't be read: ${(error as Error).message}`;
  }
}
