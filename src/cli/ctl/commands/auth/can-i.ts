import type { ResourceMapper } from '../../api/resource-mapper.ts';
import { resourcePath } from '../../api/resource.ts';
import { defineCommand } from '../../command.ts';
import type { CommandContext } from '../../context.ts';
import { CtlError, UsageError } from '../../errors.ts';
import { accessSpec } from './access-spec.ts';

interface Review {
  readonly status?: {
    readonly allowed?: boolean;
    readonly reason?: string;
    readonly evaluationError?: string;
  };
}

export const canI = defineCommand({
  usage: '(VERB (TYPE | TYPE/NAME | PATH) | --list)',
  description:
    'Tell whether something is allowed: yes and exit code 0, or no and 1. With --as, whether it is for somebody else.',
  examples: `
    orchctl auth can-i create deployments
    orchctl auth can-i get pods --subresource=log -n shop --as=jane
    orchctl auth can-i get /metrics
    # All that there is
    orchctl auth can-i --list -n shop`,
  flags: {
    'all-namespaces': { type: 'switch', short: 'A', help: 'Whether it is in all namespaces.' },
    subresource: { type: 'text', help: 'A subresource such as log or status.' },
    quiet: { type: 'switch', short: 'q', help: 'Say nothing, only exit.' },
    list: { type: 'switch', help: 'Show all that is allowed in the namespace.' },
    'no-headers': { type: 'switch', help: 'Leave out the headers of --list.' },
  },
  async run({ context, flags, args }) {
    if (flags.list) {
      requireAlone(flags, args);
      const { listRules } = await import('./list-rules.ts');
      await listRules(context, flags['no-headers']);
      return 0;
    }
    if (flags['no-headers']) throw new CtlError('--no-headers cannot be set without --list specified');
    const [verb = '', what = '', third = '', more] = args;
    if (verb === '' || what === '' || more !== undefined) {
      throw new UsageError('you must specify two arguments: verb resource or verb resource/resourceName');
    }
    const subresource = flags.subresource ?? '';
    if (what.startsWith('/') && subresource !== '')
      throw new CtlError('--subresource can not be used with NonResourceURL');
    const mapper = await context.resources();
    await warnOfTheUnusual(context, mapper, { verb, what, everywhere: flags['all-namespaces'] });
    const reviews = mapper.forKind({
      group: mapper.names.get('group.authorization'),
      kind: 'SelfSubjectAccessReview',
    });
    if (reviews === undefined) throw new CtlError('the server answers no questions about access');
    const namespace = flags['all-namespaces'] ? '' : (await context.namespace()).name;
    const spec = accessSpec(mapper, { verb, what, name: third, namespace, subresource: flags.subresource });
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
    if (!flags.quiet) await context.stdout.write(allowed ? 'yes\n' : `no${why}\n`);
    return allowed ? 0 : 1;
  },
});

interface ListChoice {
  readonly quiet: boolean;
  readonly 'all-namespaces': boolean;
  readonly subresource: string | undefined;
}

function requireAlone(choice: ListChoice, args: readonly string[]): void {
  if (args.length > 0) throw new CtlError('list option must be specified with no arguments');
  if (choice.quiet || choice['all-namespaces'] || (choice.subresource ?? '') !== '')
    throw new CtlError(
      "list option can't be specified with neither quiet, all-namespaces nor subresource options",
    );
}

const VERBS: ReadonlySet<string> = new Set([
  ...['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'],
  ...['use', 'bind', 'impersonate', '*', 'approve', 'sign', 'escalate', 'attest'],
]);
const PATH_VERBS: ReadonlySet<string> = new Set([
  ...['get', 'put', 'post', 'head', 'options', 'delete', 'patch', '*'],
]);
/** What can be asked for although no server has it. */
const IDENTITIES = /^(?:users|groups)$|^(?:userextras\/.*|uids)(?:\.|$)/;

interface Question {
  readonly verb: string;
  readonly what: string;
  readonly everywhere: boolean;
}

/** A question that nobody would ask is answered, but may be a mistake. */
async function warnOfTheUnusual(
  { stderr }: CommandContext,
  mapper: ResourceMapper,
  { verb, what, everywhere }: Question,
): Promise<void> {
  const warn = (text: string): Promise<void> => stderr.write(`Warning: ${text}\n\n`);
  const known = what.startsWith('/') ? PATH_VERBS : VERBS;
  const [type = ''] = what.split('/');
  const found = what.startsWith('/') || type === '*' ? undefined : mapper.lookUp(type);
  if (found === undefined && type !== '' && type !== '*' && !IDENTITIES.test(what)) {
    const [resource = '', ...group] = type.toLowerCase().split('.');
    const where = group.length === 0 ? '' : ` in group '${group.join('.')}'`;
    return warn(`the server doesn't have a resource type '${resource}'${where}`);
  }
  if (found?.namespaced === false && !everywhere) {
    const where = found.group === '' ? '' : ` in group '${found.group}'`;
    await warn(`resource '${found.resource}' is not namespace scoped${where}`);
  }
  if (!known.has(verb)) await warn(`verb '${verb}' is not a known verb`);
}
