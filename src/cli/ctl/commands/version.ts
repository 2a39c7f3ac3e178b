import { exactJson } from '../../../lib/exact-json.ts';
import type { JsonObject } from '../../../meta/object.ts';
import { defineCommand } from '../command.ts';
import { CtlError, UsageError } from '../errors.ts';
import type { VersionInfo } from '../../../meta/version-info.ts';
import { clientVersion } from '../version.ts';

/** The server's minor version may be this far from ours. */
const SUPPORTED_SKEW = 1;

export const version = defineCommand({
  usage: '[flags]',
  description: 'Show the versions of orchctl and of the server.',
  examples: `
    orchctl version
    orchctl version --client -o json`,
  flags: {
    client: { type: 'switch', help: 'Only that of orchctl; no server is asked.' },
    output: { type: 'text', short: 'o', help: 'yaml or json.' },
  },
  async run({ context, flags, args }) {
    const { output = '', client } = flags;
    if (args.length > 0) throw new UsageError(`extra arguments: [${args.join(' ')}]`);
    if (!['', 'yaml', 'json'].includes(output)) throw new CtlError("--output must be 'yaml' or 'json'");
    const own = clientVersion();
    const asked = client
      ? undefined
      : context.api().then((api) => api.json<VersionInfo>({ path: '/version' }));
    const { server, error } = await settled(asked);
    const versions = { clientVersion: own, ...(server === undefined ? {} : { serverVersion: server }) };
    await context.stdout.write(await textOf(versions, output));
    if (server !== undefined) await context.stderr.write(skewWarning(own, server));
    if (error !== undefined) throw error;
  },
});

interface Versions {
  readonly clientVersion: VersionInfo;
  readonly serverVersion?: VersionInfo;
}

/** The client's version is shown also where the server can't be asked. */
async function settled(
  asked: Promise<VersionInfo> | undefined,
): Promise<{ server?: VersionInfo | undefined; error?: Error }> {
  try {
    return { server: await asked };
  } catch (error) {
    return { error: error instanceof Error ? error : new CtlError(String(error)) };
  }
}

async function textOf(versions: Versions, output: string): Promise<string> {
  if (output === 'json') return `${JSON.stringify(JSON.parse(exactJson(versions)), undefined, 2)}\n`;
  if (output === 'yaml') {
    const { goYaml } = await import('../print/yaml-writer.ts');
    return `${goYaml(versions as unknown as JsonObject)}\n`;
  }
  const { clientVersion: own, serverVersion: server } = versions;
  const lines = [`Client Version: ${own.gitVersion}`];
  if (server !== undefined) lines.push(`Server Version: ${server.gitVersion}`);
  return `${lines.join('\n')}\n`;
}

function skewWarning(own: VersionInfo, server: VersionInfo): string {
  const distance = Math.abs(parseInt(own.minor, 10) - parseInt(server.minor, 10));
  if (own.major === server.major && distance <= SUPPORTED_SKEW) return '';
  const [ours, theirs] = [own, server].map(({ major, minor }) => `${major}.${minor}`);
  return `WARNING: version difference between client (${ours}) and server (${theirs}) exceeds the supported minor version skew of +/-${SUPPORTED_SKEW}\n`;
}
