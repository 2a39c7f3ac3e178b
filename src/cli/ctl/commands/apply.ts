import { defineCommand } from '../command.ts';
import { UsageError } from '../errors.ts';
import { OUTPUT_FLAGS } from '../print/output-flags.ts';
import { MANIFEST_FLAGS, WRITE_FLAGS } from '../write/flags.ts';

export const apply = defineCommand({
  usage: '(-f FILENAME | -k DIRECTORY) [flags]',
  description:
    "Bring objects into the state that manifests say, on the server: what isn't there is created, fields that were applied before and are no longer there are removed, and fields of others are not touched. Namespaces and definitions go before what needs them.",
  examples: `
    # What a file says
    orchctl apply -f web.yaml
    # A folder with all that is in it
    orchctl apply -R -f deploy/
    # A kustomization
    orchctl apply -k overlays/production
    # From another program
    helm template web | orchctl apply -f -
    # Take fields over that somebody else has set
    orchctl apply -f web.yaml --force-conflicts
    # Delete what an earlier apply of the same set made and this one doesn't
    orchctl apply -n shop -R -f deploy/ --prune --applyset=shop`,
  arguments: 'files',
  flags: {
    ...MANIFEST_FLAGS,
    ...WRITE_FLAGS,
    ...OUTPUT_FLAGS,
    'server-side': {
      type: 'switch',
      default: true,
      help: 'Apply on the server; there is no other way here.',
    },
    'force-conflicts': { type: 'switch', help: 'Take fields over that others have set.' },
    'field-manager': { type: 'text', default: 'orchctl', help: 'Who is to own the fields.' },
    prune: { type: 'switch', help: 'Delete the objects of the apply set that are not applied any more.' },
    applyset: {
      type: 'text',
      help: 'The object that keeps track of the set for --prune: NAME of a secret, or RESOURCE.GROUP/NAME.',
    },
    cascade: {
      type: 'text',
      bare: 'background',
      default: 'background',
      choices: ['background', 'foreground', 'orphan'],
      help: 'What happens to what pruned objects own.',
    },
    subresource: { type: 'text', help: 'Apply to this subresource: status or scale.' },
    overwrite: { type: 'switch', default: true, hidden: true, help: 'Taken for the sake of scripts.' },
    wait: { type: 'switch', hidden: true, help: 'Taken for the sake of scripts.' },
  },
  async run({ context, flags, given, args }) {
    if (args.length > 0) throw new UsageError(`Unexpected args: [${args.join(' ')}]`);
    const { runApply } = await import('../apply/run-apply.ts');
    await runApply(context, flags, given);
  },
});
