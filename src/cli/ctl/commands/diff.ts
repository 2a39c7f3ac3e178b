import { defineCommand } from '../command.ts';
import { CtlError, UsageError } from '../errors.ts';
import { MANIFEST_FLAGS } from '../write/flags.ts';

export const diff = defineCommand({
  usage: '(-f FILENAME | -k DIRECTORY) [flags]',
  description:
    'Show what apply would change: the difference between each object as it is and as the server would store it. Exits with 0 where there is none, 1 where there is one, and more when something went wrong. KUBECTL_EXTERNAL_DIFF names another program than "diff -u -N", with its flags.',
  examples: `
    # What a file would change
    orchctl diff -f web.yaml
    # In colour, where diff can
    KUBECTL_EXTERNAL_DIFF='diff -u -N --color=always' orchctl diff -k overlays/production`,
  arguments: 'files',
  failureCode: 2,
  flags: {
    ...MANIFEST_FLAGS,
    'server-side': {
      type: 'switch',
      default: true,
      help: 'Apply on the server; there is no other way here.',
    },
    'force-conflicts': { type: 'switch', help: 'Show what taking fields over would change.' },
    'field-manager': { type: 'text', default: 'orchctl', help: 'Who would own the fields.' },
    'show-managed-fields': { type: 'switch', help: 'Show metadata.managedFields, too.' },
    concurrency: { type: 'number', default: 8, help: 'How many objects to ask for at once.' },
  },
  async run({ context, flags, args }) {
    if (args.length > 0) throw new UsageError(`Unexpected args: [${args.join(' ')}]`);
    if (!flags['server-side'])
      throw new CtlError('--server-side=false is not supported: orchctl applies on the server only');
    const { diffManifests } = await import('../diff/diff-manifests.ts');
    return diffManifests(context, flags);
  },
});
