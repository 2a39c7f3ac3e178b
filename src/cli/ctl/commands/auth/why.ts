import type { JsonObject } from '../../../../meta/object.ts';
import { resourcePath } from '../../api/resource.ts';
import { defineCommand } from '../../command.ts';
import type { CommandContext } from '../../context.ts';
import { CtlError, UsageError } from '../../errors.ts';
import { accessSpec } from './access-spec.ts';
import { explanationText, type Explanation } from './explanation.ts';

interface Review {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
}

export const why = defineCommand({
  usage: 'VERB (TYPE | TYPE/NAME | PATH)',
  description:
    'Tell which rule of which role allows something, or which rules come nearest and what would allow it, ready for apply. With --as, for somebody else. It takes being allowed to explain subjectaccessreviews.',
  examples: `
    orchctl auth why delete pods --as=jane -n shop
    orchctl auth why get /metrics --as=system:serviceaccount:shop:web`,
  flags: {
    'all-namespaces': { type: 'switch', short: 'A', help: 'Whether it is in all namespaces.' },
    subresource: { type: 'text', help: 'A subresource such as log or status.' },
  },
  async run({ context, flags, args }) {
    const [verb = '', what = '', name = '', more] = args;
    if (verb === '' || what === '' || more !== undefined) {
      throw new UsageError('you must specify two arguments: verb resource or verb resource/resourceName');
    }
    const own = askingAsOneself(context);
    const mapper = await own.resources();
    const namespace = flags['all-namespaces'] ? '' : (await own.namespace()).name;
    const subject = subjectOf(context);
    const reviews = mapper.forKind({
      group: mapper.names.get('group.authorization'),
      kind: subject === undefined ? 'SelfSubjectAccessReview' : 'SubjectAccessReview',
    });
    if (reviews === undefined) throw new CtlError('the server answers no questions about access');
    const wish = accessSpec(mapper, { verb, what, name, namespace, subresource: flags.subresource });
    const { group, version, kind } = reviews;
    const answer = await (
      await own.api()
    ).json<Review>({
      method: 'POST',
      path: resourcePath({ resource: reviews }),
      query: { explain: true },
      body: { apiVersion: `${group}/${version}`, kind, spec: { ...wish, ...subject } },
    });
    const text = answer.metadata?.annotations?.[mapper.names.get('annotation.access-explanation')];
    if (text === undefined) throw new CtlError('the server does not explain access reviews');
    const explanation = JSON.parse(text) as Explanation;
    await context.stdout.write(explanationText(explanation));
    return explanation.allowed ? 0 : 1;
  },
});

/** Whoever is asked about needn't be allowed to ask. */
function askingAsOneself(context: CommandContext): CommandContext {
  const nobody = { as: undefined, 'as-group': [], 'as-uid': undefined, 'as-user-extra': [] };
  return context.derive({ ...context.globals, ...nobody });
}

const ACCOUNT = /^system:serviceaccount:([^:]+):[^:]+$/;

/** Whom --as names, with the groups that everybody like that is in. */
function subjectOf({ globals }: CommandContext): JsonObject | undefined {
  const user = globals.as;
  if (user === undefined || user === '') return undefined;
  const [, namespace] = ACCOUNT.exec(user) ?? [];
  const accounts =
    namespace === undefined ? [] : ['', `:${namespace}`].map((of) => `system:serviceaccounts${of}`);
  return { user, groups: [...globals['as-group'], ...accounts, 'system:authenticated'] };
}
