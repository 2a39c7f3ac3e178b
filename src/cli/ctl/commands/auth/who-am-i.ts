import { formatGroupVersion, type JsonObject } from '../../../../meta/object.ts';
import { resourcePath } from '../../api/resource.ts';
import { defineCommand } from '../../command.ts';
import { CtlError } from '../../errors.ts';
import { ColumnWriter } from '../../print/columns.ts';
import { harmless } from '../../print/go-text.ts';
import { choosePrinter, OUTPUT_FLAGS } from '../../print/output-flags.ts';
import { goList } from '../../rbac/rules.ts';

interface UserInfo {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export const whoAmI = defineCommand({
  usage: '',
  description: 'Tell as whom the server sees you: name, groups and what else it knows.',
  examples: `
    orchctl auth whoami
    orchctl auth whoami --as=jane -o yaml`,
  flags: OUTPUT_FLAGS,
  async run({ context, flags }) {
    const printer = await choosePrinter(flags, { cwd: context.cwd });
    const mapper = await context.resources();
    const group = mapper.names.get('group.authentication');
    const reviews = mapper.forKind({ group, kind: 'SelfSubjectReview' });
    if (reviews === undefined)
      throw new CtlError('the selfsubjectreviews API is not enabled in the cluster', {
        hint: 'It belongs to release 1.28 and later.',
      });
    const answer = await (
      await context.api()
    ).json<JsonObject & { readonly status?: { readonly userInfo?: UserInfo } }>({
      method: 'POST',
      path: resourcePath({ resource: reviews }),
      body: { apiVersion: formatGroupVersion(group, reviews.version), kind: reviews.kind },
    });
    await context.stdout.write(printer?.print(answer) ?? tableOf(answer.status?.userInfo ?? {}));
  },
});

function tableOf({ username = '', uid = '', groups = [], extra = {} }: UserInfo): string {
  const rows = [
    ['ATTRIBUTE', 'VALUE'],
    ...(username === '' ? [] : [['Username', username]]),
    ...(uid === '' ? [] : [['UID', uid]]),
    ...(groups.length === 0 ? [] : [['Groups', goList(groups)]]),
    ...Object.keys(extra)
      .sort()
      .map((key) => [`Extra: ${key}`, goList(extra[key])]),
  ];
  return new ColumnWriter().lines(rows.map((row) => row.map(harmless)));
}
