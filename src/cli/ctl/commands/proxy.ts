import { once } from 'node:events';
import { defineCommand } from '../command.ts';
import { CtlError } from '../errors.ts';

export const proxy = defineCommand({
  usage: '[--port=PORT] [--address=ADDRESS] [--api-prefix=PREFIX] [flags]',
  description:
    'Serve the API on a port of this computer, to programs that know no credentials: their requests go on to the server in your name. Watches stream through; what asks for another protocol, as exec does, is refused.',
  examples: `
    # On port 8001
    orchctl proxy
    # On any free port, only for reading
    orchctl proxy --port=0 --reject-methods=POST,PUT,PATCH,DELETE
    # Under a prefix
    orchctl proxy --api-prefix=/cluster/`,
  flags: {
    port: { type: 'number', short: 'p', default: 8001, help: 'The port; 0 for any that is free.' },
    address: { type: 'text', default: '127.0.0.1', help: 'The address to listen on.' },
    'api-prefix': { type: 'text', default: '/', help: 'What the paths of the API begin with.' },
    'accept-paths': { type: 'text', default: '^.*', help: 'Regular expressions of paths that may pass.' },
    'reject-paths': {
      type: 'text',
      default: '^/api/.*/pods/.*/exec,^/api/.*/pods/.*/attach',
      help: 'Regular expressions of paths that may not, whatever --accept-paths say.',
    },
    'accept-hosts': {
      type: 'text',
      default: String.raw`^localhost$,^127\.0\.0\.1$,^\[::1\]$`,
      help: 'Regular expressions of hosts that requests may name.',
    },
    'reject-methods': {
      type: 'text',
      default: '^$',
      help: 'Regular expressions of methods that may not pass: POST,PUT,PATCH,DELETE.',
    },
    'disable-filter': {
      type: 'switch',
      help: 'Let all requests pass. Any page that a browser of this computer shows can then act in your name.',
    },
  },
  async run({ context, flags, args }) {
    const [unknown] = args;
    if (unknown !== undefined) throw new CtlError(`unknown argument ${JSON.stringify(unknown)}`);
    const [{ requestFilter }, { serveProxy }] = await Promise.all([
      import('../proxy/filter.ts'),
      import('../proxy/serve.ts'),
    ]);
    const { signal, stdout, stderr } = context;
    if (flags['disable-filter'])
      await stderr.write('Warning: without a filter, any page that a browser shows can act in your name\n');
    const running = await serveProxy(
      {
        transport: await context.transport(),
        prefix: `/${flags['api-prefix'].replace(/^\/+|\/+$/g, '')}/`.replace('//', '/'),
        filter: flags['disable-filter'] ? undefined : requestFilter(flags),
      },
      flags,
    );
    try {
      await stdout.write(`Starting to serve on ${running.address}\n`);
      if (!signal.aborted) await once(signal, 'abort');
    } finally {
      await running.stop();
    }
  },
});
