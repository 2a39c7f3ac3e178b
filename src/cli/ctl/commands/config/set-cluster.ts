import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Json } from '../../../../meta/object.ts';
import { defineCommand } from '../../command.ts';
import { CtlError } from '../../errors.ts';
import { Kubeconfig } from '../../kubeconfig/kubeconfig.ts';
import { exactly } from './arguments.ts';

export const setCluster = defineCommand({
  usage: 'NAME [--server=URL] [--certificate-authority=FILE] [flags]',
  description: 'Make or change a cluster of the configuration.',
  arguments: 'clusters',
  flags: {
    server: { type: 'text', short: 's', help: 'https://host:port of the API server.' },
    'tls-server-name': { type: 'text', help: "The name that the server's certificate must have." },
    'insecure-skip-tls-verify': { type: 'switch', help: "Don't check the server's certificate." },
    'certificate-authority': {
      type: 'text',
      completes: 'files',
      help: "File of the authority of the server's certificate.",
    },
    'embed-certs': { type: 'switch', help: 'Put what the file holds into the configuration.' },
    'proxy-url': { type: 'text', help: 'A proxy on the way to the server.' },
  },
  async run({ context, flags, given, args }) {
    const [name] = exactly(args, 1);
    const authority = flags['certificate-authority'] ?? '';
    const insecure = flags['insecure-skip-tls-verify'];
    if (name === '') throw new CtlError('you must specify a non-empty cluster name');
    if (insecure && authority !== '') {
      throw new CtlError('you cannot specify a certificate authority and insecure mode at the same time');
    }
    if (flags['embed-certs'] && authority === '')
      throw new CtlError('you must specify a --certificate-authority to embed');
    const config = await Kubeconfig.load(context);
    const fields: Record<string, Json | undefined> = {};
    if (config.entry('clusters', name) === undefined) fields['server'] = '';
    if (given.has('server')) Object.assign(fields, { server: flags.server, 'tls-server-name': undefined });
    if (given.has('tls-server-name')) fields['tls-server-name'] = flags['tls-server-name'] || undefined;
    if (given.has('insecure-skip-tls-verify')) fields['insecure-skip-tls-verify'] = insecure || undefined;
    if (insecure) Object.assign(fields, NO_AUTHORITY);
    if (authority !== '') {
      const path = resolve(context.cwd, authority);
      Object.assign(fields, { ...NO_AUTHORITY, 'insecure-skip-tls-verify': undefined });
      if (flags['embed-certs']) fields['certificate-authority-data'] = await base64Of(path);
      else fields['certificate-authority'] = path;
    }
    if (given.has('proxy-url')) fields['proxy-url'] = flags['proxy-url'] || undefined;
    config.change('clusters', name, fields);
    await config.save();
    await context.stdout.write(`Cluster ${JSON.stringify(name)} set.\n`);
  },
});

const NO_AUTHORITY = { 'certificate-authority': undefined, 'certificate-authority-data': undefined };

/** What a file holds, for the configuration. @throws CtlError */
export async function base64Of(path: string): Promise<string> {
  try {
    return (await readFile(path)).toString('base64');
  } catch (cause) {
    throw new CtlError(`could not read ${path}: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}
