import type { ResourceMapper } from '../../api/resource-mapper.ts';
import { resourcePath } from '../../api/resource.ts';
import { defineCommand } from '../../command.ts';
import { CtlError, UsageError } from '../../errors.ts';

interface Review {
  readonly status?: {
    readonly allowed?: boolean;
    readonly reason?: string;
    readonly evaluationError?: string;
  };
}

export const canI = defineCommand({
  usage: 'VERB (TYPE | TYPE/NAME | PATH)',
  description:
    'Tell whether something is allowed: yes and exit code 0, or no and 1. With --as, whether it is for somebody else.',
  examples: `
    orchctl auth can-i create deployments
    orchctl auth can-i get pods --subresource=log -n shop --as=jane
    orchctl auth can-i get /metrics`,
  flags: {
    'all-namespaces': { type: 'switch', short: 'A', help: 'Whether it is in all namespaces.' },
    subresource: { type: 'text', help: 'A subresource such as log or status.' },
    quiet: { type: 'switch', short: 'q', help: 'Say nothing, only exit.' },
  },
  async run({ context, flags, args }) {
    const [verb = '', what = '', third = '', more] = args;
    if (verb === '' || what === '' || more !== undefined) {
      throw new UsageError('you must specify two arguments: verb resource or verb resource/resourceName');
    }
    const mapper = await context.resources();
    const reviews = mapper.forKind({
      group: mapper.names.get('group.authorization'),
      kind: 'SelfSubjectAccessReview',
    });
    if (reviews === undefined) throw new CtlError('the server answers no questions about access');
    const namespace = flags['all-namespaces'] ? '' : (await context.namespace()).name;
    const spec = what.startsWith('/')
      ? { nonResourceAttributes: { verb, path: what } }
      : {
          resourceAttributes: {
            verb,
            namespace,
            subresource: flags.subresource,
            ...resourceOf(mapper, what, third),
          },
        };
    const { group, version, kind } = reviews;
    const { status } = await (
      await context.api()
    ).json<Review>({
      method: 'POST',
      path: resourcePath({ resource: reviews }),
      body: { apiVersion: `${group}/${version}`, kind, spec },
    });
    const allowed = status?.allowed === true;
    const reason = status?.reason ?? '';
    const error = status?.evaluationError ?? '';
    const why = `${reason === '' ? '' : ` - ${reason}`}${error === '' ? '' : ` - ${error}`}`;
    if (!flags.quiet) await context.stdout.write(allowed ? `yes${why}\n` : `no${why}\n`);
    return allowed ? 0 : 1;
  },
});

/** The server may not have the resource: that is no reason not to ask. */
function resourceOf(
  mapper: ResourceMapper,
  what: string,
  third: string,
): { group: string; resource: string; name: string | undefined } {
  const [type = '', name = third] = what.split('/');
  const found = type === '*' ? undefined : mapper.lookUp(type);
  return {
    group: found?.group ?? '',
    resource: found?.resource ?? type,
    name: name === '' ? undefined : name,
  };
}
