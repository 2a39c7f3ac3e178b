import { formatGroupVersion, type JsonObject } from '../../../../meta/object.ts';
import { resourcePath } from '../../api/resource.ts';
import { defineCommand } from '../../command.ts';
import { requireName } from '../../create/name.ts';
import { CtlError } from '../../errors.ts';
import { choosePrinter, OUTPUT_FLAGS } from '../../print/output-flags.ts';

/** What a token can be bound to; all are of the core group's first version. */
const KINDS = ['Node', 'Pod', 'Secret'];

export const token = defineCommand({
  usage:
    'SERVICE-ACCOUNT [--audience=AUDIENCE] [--duration=DURATION] [--bound-object-kind=KIND --bound-object-name=NAME]',
  description: 'Ask for a token of a service account. Whoever has it acts as that account until it expires.',
  examples: `
    orchctl create token builder --duration=10m
    # One that ends with a pod
    orchctl create token builder --bound-object-kind=Pod --bound-object-name=build-1`,
  flags: {
    ...OUTPUT_FLAGS,
    audience: { type: 'list', help: 'Who is to accept it; by default the API server. Can be repeated.' },
    duration: { type: 'duration', default: 0, help: 'How long it is to last; 0 leaves it to the server.' },
    'bound-object-kind': { type: 'text', default: '', help: `What it ends with: ${KINDS.join(', ')}.` },
    'bound-object-name': { type: 'text', default: '', help: 'The name of that object.' },
    'bound-object-uid': { type: 'text', default: '', help: 'Its uid; by default that of the one there is.' },
  },
  async run({ context, flags, args }) {
    const name = requireName(args);
    const printer = await choosePrinter(flags, { cwd: context.cwd });
    const spec = specOf(flags);
    const mapper = await context.resources();
    const resource = mapper.find('serviceaccounts');
    const { name: namespace } = await context.namespace();
    const apiVersion = formatGroupVersion(mapper.names.get('group.authentication'), 'v1');
    const answer = await (
      await context.api()
    ).json<JsonObject & { readonly status?: { readonly token?: string } }>({
      method: 'POST',
      path: resourcePath({ resource, namespace, name, subresource: 'token' }),
      body: { apiVersion, kind: 'TokenRequest', metadata: { creationTimestamp: null }, spec },
    });
    const issued = answer.status?.token ?? '';
    if (issued === '') throw new CtlError('failed to create token: no token in server response');
    // Scripts take the bare token.
    const end = context.stdout.isTerminal ? '\n' : '';
    await context.stdout.write(printer?.print(answer) ?? `${issued}${end}`);
  },
});

interface TokenChoice {
  readonly audience: readonly string[];
  readonly duration: number;
  readonly 'bound-object-kind': string;
  readonly 'bound-object-name': string;
  readonly 'bound-object-uid': string;
}

function specOf({ audience, duration, ...bound }: TokenChoice): JsonObject {
  if (duration < 0) throw new CtlError('--duration must be greater than or equal to 0');
  if (duration % 1000 !== 0) throw new CtlError('--duration cannot be expressed in units less than seconds');
  if (audience.includes('')) throw new CtlError('--audience must not be an empty string');
  const { 'bound-object-kind': kind, 'bound-object-name': name, 'bound-object-uid': uid } = bound;
  if (kind === '' && name !== '')
    throw new CtlError('--bound-object-name can only be set if --bound-object-kind is provided');
  if (kind === '' && uid !== '')
    throw new CtlError('--bound-object-uid can only be set if --bound-object-kind is provided');
  if (kind !== '' && !KINDS.includes(kind))
    throw new CtlError(`supported --bound-object-kind values are ${KINDS.join(', ')}`);
  if (kind !== '' && name === '')
    throw new CtlError('--bound-object-name is required if --bound-object-kind is provided');
  return {
    audiences: audience.length === 0 ? null : [...audience],
    expirationSeconds: duration === 0 ? null : duration / 1000,
    boundObjectRef: kind === '' ? null : { apiVersion: 'v1', kind, name, ...(uid === '' ? {} : { uid }) },
  };
}
