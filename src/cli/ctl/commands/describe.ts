import { defineCommand } from '../command.ts';
import { UsageError } from '../errors.ts';
import { CHOICE_FLAGS } from '../objects/flags.ts';
import { DEFAULT_CHUNK_SIZE } from '../resources/read-objects.ts';

const { filename, recursive, kustomize, selector } = CHOICE_FLAGS;

export const describe = defineCommand({
  usage: '(-f FILENAME | TYPE [NAME_PREFIX | -l label] | TYPE/NAME)',
  description:
    'Describe objects in detail, with what belongs to them and what happened to them lately. Where there is no object of a name, those are described whose names begin with it.',
  examples: `
    orchctl describe pod web-1
    # All that begin so
    orchctl describe pods web
    # By labels, in all namespaces
    orchctl describe pods -A -l app=web
    # What a file names
    orchctl describe -f web.yaml`,
  arguments: 'resources',
  flags: {
    filename,
    recursive,
    kustomize,
    selector,
    'all-namespaces': { type: 'switch', short: 'A', help: 'Objects of all namespaces.' },
    'show-events': { type: 'switch', default: true, help: 'Tell what happened to the objects.' },
    'chunk-size': {
      type: 'number',
      default: DEFAULT_CHUNK_SIZE,
      help: 'How many objects to ask for at once; 0 for all.',
    },
  },
  async run({ context, flags, args }) {
    if (args.length === 0 && flags.filename.length === 0 && (flags.kustomize ?? '') === '') {
      throw new UsageError(
        'You must specify the type of resource to describe. Use "orchctl api-resources" for a complete list of supported resources.',
      );
    }
    const { describeObjects } = await import('../describe/describe-objects.ts');
    await describeObjects(context, flags, args);
  },
});
