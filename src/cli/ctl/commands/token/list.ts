import { readBootstrapToken, BOOTSTRAP_SECRET_PREFIX } from '../../../../authn/bootstrap-token/secret.ts';
import { humanDuration } from '../../../../lib/human-duration.ts';
import { formatTime } from '../../../../lib/rfc3339.ts';
import type { ApiObject } from '../../../../meta/object.ts';
import { defineCommand } from '../../command.ts';
import { ColumnWriter } from '../../print/columns.ts';
import { harmless } from '../../print/go-text.ts';
import { choosePrinter, OUTPUT_FLAGS } from '../../print/output-flags.ts';
import { listOf } from '../../print/clean.ts';
import { readObjects } from '../../resources/read-objects.ts';
import { formatToken } from '../../token/bootstrap-token.ts';
import { tokenPlace, USAGES } from '../../token/token-secret.ts';

const HEADERS = ['TOKEN', 'TTL', 'EXPIRES', 'USAGES', 'DESCRIPTION', 'EXTRA GROUPS'];

export const list = defineCommand({
  usage: '',
  description:
    'List the bootstrap tokens that there are, their secrets included: whoever may read Secrets of the system namespace may have them.',
  flags: {
    ...OUTPUT_FLAGS,
    'no-headers': { type: 'switch', help: 'Leave out the headers.' },
  },
  async run({ context, flags }) {
    const printer = await choosePrinter(flags, { cwd: context.cwd });
    const { resource, namespace } = await tokenPlace(context);
    const type = (await context.names()).get('secretType.bootstrap-token');
    const options = { api: await context.api(), namespace, fieldSelector: `type=${type}` };
    const found: ApiObject[] = [];
    for await (const { object } of readObjects({ resource }, options)) found.push(object as ApiObject);
    const tokens = found.filter(({ metadata }) => metadata.name?.startsWith(BOOTSTRAP_SECRET_PREFIX));
    if (printer !== undefined) return context.stdout.write(printer.print(listOf(tokens)));
    const rows = tokens.map((secret) => rowOf(secret, Date.now()).map(harmless));
    if (rows.length === 0) return;
    await context.stdout.write(new ColumnWriter().lines(flags['no-headers'] ? rows : [HEADERS, ...rows]));
  },
});

function rowOf(secret: ApiObject, now: number): string[] {
  const token = readBootstrapToken(secret);
  const uses = [token.signs, token.authenticates];
  const usages = USAGES.filter((_, i) => uses[i]);
  return [
    formatToken(token),
    token.expiresAt === Infinity ? '<forever>' : humanDuration(token.expiresAt - now),
    token.expiresAt === Infinity ? '<never>' : formatTime(token.expiresAt),
    usages.join(',') || '<none>',
    descriptionOf(secret) || '<none>',
    token.extraGroups.join(',') || '<none>',
  ];
}

function descriptionOf({ data }: ApiObject): string {
  const { description = '' } = (data ?? {}) as { description?: string };
  return Buffer.from(description, 'base64').toString();
}
