import { resolve } from 'node:path';
import type { Json, JsonObject } from '../../../../meta/object.ts';
import { defineCommand } from '../../command.ts';
import { CtlError } from '../../errors.ts';
import { Kubeconfig } from '../../kubeconfig/kubeconfig.ts';
import { exactly } from './arguments.ts';
import { base64Of } from './set-cluster.ts';

export const setCredentials = defineCommand({
  usage:
    'NAME [--token=TOKEN | --client-certificate=FILE --client-key=FILE | --exec-command=PROGRAM] [flags]',
  description: 'Make or change a user of the configuration.',
  arguments: 'users',
  flags: {
    'client-certificate': { type: 'text', completes: 'files', help: 'File of the client certificate.' },
    'client-key': { type: 'text', completes: 'files', help: 'File of its key.' },
    'embed-certs': { type: 'switch', help: 'Put what the files hold into the configuration.' },
    token: { type: 'text', help: 'Bearer token.' },
    username: { type: 'text', help: 'Name for basic authentication.' },
    password: { type: 'text', help: 'Password for basic authentication.' },
    'exec-command': { type: 'text', help: 'A program that prints credentials.' },
    'exec-api-version': { type: 'text', help: 'The version of the objects that the program prints.' },
    'exec-arg': { type: 'list', commas: true, help: 'An argument of the program; can be repeated.' },
    'exec-env': { type: 'list', help: 'NAME=VALUE for the program, NAME- to remove one; can be repeated.' },
    'exec-interactive-mode': { type: 'text', help: 'Never, IfAvailable or Always.' },
    'exec-provide-cluster-info': { type: 'switch', help: 'Tell the program of the cluster.' },
  },
  async run({ context, flags, given, args }) {
    const [name] = exactly(args, 1);
    if (name === '') throw new CtlError('you must specify a non-empty user name');
    const basic = given.has('username') || given.has('password');
    if ((flags.token ?? '') !== '' && basic) {
      throw new CtlError(
        'you cannot specify more than one authentication method at the same time: --token, --username/--password',
      );
    }
    const config = await Kubeconfig.load(context);
    const fields: Record<string, Json | undefined> = {};
    for (const field of ['client-certificate', 'client-key'] as const) {
      const file = flags[field];
      if (file === undefined) continue;
      const path = file === '' ? undefined : resolve(context.cwd, file);
      fields[field] = flags['embed-certs'] ? undefined : path;
      fields[`${field}-data`] = flags['embed-certs'] && path !== undefined ? await base64Of(path) : undefined;
    }
    if (given.has('token')) Object.assign(fields, { token: flags.token || undefined, ...NO_BASIC });
    if (basic) fields['token'] = undefined;
    if (given.has('username')) fields['username'] = flags.username || undefined;
    if (given.has('password')) fields['password'] = flags.password || undefined;
    if ([...given].some((flag) => flag.startsWith('exec-'))) {
      const before = config.entry('users', name)?.value['exec'] as JsonObject | undefined;
      fields['exec'] = changedExec(before ?? { command: '', args: null, env: null }, flags, given);
    }
    config.change('users', name, fields);
    await config.save();
    await context.stdout.write(`User ${JSON.stringify(name)} set.\n`);
  },
});

const NO_BASIC = { username: undefined, password: undefined };

interface ExecFlags {
  readonly 'exec-command': string | undefined;
  readonly 'exec-api-version': string | undefined;
  readonly 'exec-arg': readonly string[];
  readonly 'exec-env': readonly string[];
  readonly 'exec-interactive-mode': string | undefined;
  readonly 'exec-provide-cluster-info': boolean;
}

function changedExec(before: JsonObject, flags: ExecFlags, given: ReadonlySet<string>): JsonObject {
  return {
    ...before,
    ...(given.has('exec-command') ? { command: flags['exec-command'] } : {}),
    ...(given.has('exec-api-version') ? { apiVersion: flags['exec-api-version'] } : {}),
    ...(given.has('exec-arg') ? { args: [...flags['exec-arg']] } : {}),
    ...(given.has('exec-env')
      ? { env: changedEnv(before['env'] as EnvEntry[] | null, flags['exec-env']) }
      : {}),
    ...(given.has('exec-interactive-mode') ? { interactiveMode: flags['exec-interactive-mode'] } : {}),
    ...(given.has('exec-provide-cluster-info')
      ? { provideClusterInfo: flags['exec-provide-cluster-info'] }
      : {}),
  };
}

interface EnvEntry extends JsonObject {
  name: string;
  value: string;
}

function changedEnv(before: readonly EnvEntry[] | null, changes: readonly string[]): Json {
  const env = new Map((before ?? []).map(({ name, value }) => [name, value]));
  for (const change of changes) {
    const equals = change.indexOf('=');
    if (equals > 0) env.set(change.slice(0, equals), change.slice(equals + 1));
    else if (change.endsWith('-')) env.delete(change.slice(0, -1));
    else throw new CtlError(`invalid exec-env ${JSON.stringify(change)}: it is NAME=VALUE or NAME-`);
  }
  return env.size === 0 ? null : [...env].map(([name, value]) => ({ name, value }));
}
