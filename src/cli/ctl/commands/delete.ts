import { defineCommand } from '../command.ts';
import { CHOICE_FLAGS, DRY_RUN_FLAG } from '../objects/flags.ts';

export const remove = defineCommand({
  usage: '([-f FILENAME] | [-k DIRECTORY] | TYPE [(NAME | -l label | --all)])',
  description:
    'Delete objects by their names, labels or manifests, and wait until they are gone. What they own goes too, unless --cascade=orphan.',
  examples: `
    # By name
    orchctl delete pod/x service/y
    # By label
    orchctl delete pods,services -l app=web
    # What a file names
    orchctl delete -f web.yaml --ignore-not-found
    # At once, whether it has stopped or not
    orchctl delete pod x --force`,
  arguments: 'resources',
  flags: {
    ...CHOICE_FLAGS,
    ...DRY_RUN_FLAG,
    cascade: {
      type: 'text',
      bare: 'background',
      default: 'background',
      choices: ['background', 'foreground', 'orphan', 'true', 'false'],
      help: 'What happens to what the objects own: background, foreground (it goes first) or orphan (it stays).',
    },
    force: { type: 'switch', help: 'Delete at once, without waiting for anything to stop.' },
    'grace-period': {
      type: 'number',
      default: -1,
      help: 'Seconds that objects get to stop; below 0 their own.',
    },
    now: { type: 'switch', help: 'As --grace-period=1.' },
    'ignore-not-found': { type: 'switch', help: 'Objects that are not there are no mistake.' },
    output: { type: 'text', short: 'o', choices: ['', 'name'], help: 'name, for names alone.' },
    timeout: { type: 'duration', default: 0, help: 'How long to wait until objects are gone; 0 is a week.' },
    wait: { type: 'switch', default: true, help: 'Wait until the objects are gone.' },
  },
  async run({ context, flags, args }) {
    const { deleteObjects } = await import('../objects/delete-objects.ts');
    await deleteObjects(context, flags, args);
  },
});
