import { defineCommand } from '../command.ts';
import type { CommandContext } from '../context.ts';
import { CtlError, UsageError } from '../errors.ts';
import { MANIFEST_FLAGS } from '../write/flags.ts';
import { choosePrinter, OUTPUT_FLAGS } from '../print/output-flags.ts';
import { DEFAULT_CHUNK_SIZE } from '../resources/read-objects.ts';

export const get = defineCommand({
  usage: '(TYPE[.VERSION][.GROUP] [NAME | -l label] | TYPE[.VERSION][.GROUP]/NAME ... | -f FILENAME) [flags]',
  description:
    'Show objects: as tables that the server makes, or with -o in another form. Types are plurals, singulars, kinds, short names, several of them between commas, or categories such as "all".',
  examples: `
    # All pods of the namespace, and with more columns
    orchctl get pods
    orchctl get pods -o wide
    # Of all namespaces, newest last
    orchctl get pods -A --sort-by=.metadata.creationTimestamp
    # One object as YAML
    orchctl get deployment web -o yaml
    # Several by their names, of different types
    orchctl get deployment/web service/web
    # What a file names, as the server has it
    orchctl get -f web.yaml -o yaml
    # Follow what happens
    orchctl get pods -l app=web --watch
    # One field
    orchctl get pod x -o jsonpath='{.status.phase}'`,
  arguments: 'resources',
  flags: {
    ...OUTPUT_FLAGS,
    ...MANIFEST_FLAGS,
    'all-namespaces': { type: 'switch', short: 'A', help: 'Objects of all namespaces.' },
    'field-selector': { type: 'text', help: "Only objects whose fields match: 'status.phase!=Running'." },
    watch: { type: 'switch', short: 'w', help: 'Go on and show what changes.' },
    'watch-only': { type: 'switch', help: 'Show only what changes.' },
    'output-watch-events': { type: 'switch', help: 'With --watch, say how each line came about.' },
    'chunk-size': {
      type: 'number',
      default: DEFAULT_CHUNK_SIZE,
      help: 'How many objects to ask for at once; 0 for all.',
    },
    'ignore-not-found': {
      type: 'switch',
      help: 'Say nothing and exit with 0 where there is no such object.',
    },
    'no-headers': { type: 'switch', help: 'Leave the line of headers out.' },
    'show-kind': { type: 'switch', help: 'Put the kind before names.' },
    'show-labels': { type: 'switch', help: 'Add a column of all labels.' },
    'label-columns': { type: 'list', short: 'L', commas: true, help: 'Labels that get columns.' },
    'sort-by': { type: 'text', help: "Sort by a field: '.metadata.name'." },
    subresource: { type: 'text', help: 'Show this subresource: status or scale, for instance.' },
    raw: { type: 'text', help: 'Show the answer to a path such as /readyz?verbose as it comes.' },
    'server-print': { type: 'switch', default: true, hidden: true, help: 'Tables come from the server.' },
  },
  async run({ context, flags, args }) {
    if (flags.raw !== undefined && flags.raw !== '') {
      if (args.length > 0) throw new CtlError('arguments may not be passed when --raw is specified');
      return showRaw(context, flags.raw);
    }
    const { output = '' } = flags;
    const table = output === '' || output === 'wide';
    if (flags['show-labels'] && !table) {
      throw new CtlError(`--show-labels option cannot be used with ${output} printer`);
    }
    const watching = flags.watch || flags['watch-only'];
    if (flags['output-watch-events'] && !watching) {
      throw new CtlError('--output-watch-events option can only be used with --watch or --watch-only');
    }
    if (args.length === 0 && flags.filename.length === 0 && (flags.kustomize ?? '') === '') {
      throw new UsageError(
        'You must specify the type of resource to get. Use "orchctl api-resources" for a complete list of supported resources.',
      );
    }
    const printer = table
      ? undefined
      : await choosePrinter(flags, { others: ['wide'], noHeaders: flags['no-headers'], cwd: context.cwd });
    const { readGetRequest } = await import('../get/request.ts');
    const request = await readGetRequest(context, flags, args);
    const style = {
      wide: output === 'wide',
      noHeaders: flags['no-headers'],
      showKind: flags['show-kind'],
      labelColumns: flags['label-columns'],
      showLabels: flags['show-labels'],
    };
    if (watching) {
      const { watchObjects, watchTables } = await import('../get/watch.ts');
      const choice = { only: flags['watch-only'], showEvents: flags['output-watch-events'] };
      return printer === undefined
        ? watchTables(request, style, choice)
        : watchObjects(request, printer, choice);
    }
    if (printer === undefined) {
      const { getTables } = await import('../get/tables.ts');
      return getTables(request, style);
    }
    const { getObjects } = await import('../get/objects.ts');
    return getObjects(request, printer);
  },
});

async function showRaw(context: CommandContext, path: string): Promise<void> {
  if (!path.startsWith('/')) throw new CtlError('--raw must be a valid URL path: it begins with a slash');
  const { body } = await (await context.api()).open({ path, accept: '*/*' });
  for await (const chunk of body) await context.stdout.write(chunk);
}
