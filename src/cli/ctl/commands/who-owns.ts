import { defineCommand } from '../command.ts';

export const whoOwns = defineCommand({
  usage: '(TYPE/NAME | TYPE NAME) [PATH] [flags]',
  description:
    'Show which manager owns the fields of an object, by which operation, and when that manager changed what it owns last. With a path, of that field and what is in it.',
  examples: `
    # Every field
    orchctl who-owns deployment/web
    # One of them
    orchctl who-owns deployment/web .spec.replicas
    # Of one container
    orchctl who-owns deployment/web 'spec.template.spec.containers[name=web]'
    # What one manager owns
    orchctl who-owns deployment/web --manager=kubectl-edit`,
  arguments: 'resources',
  flags: {
    output: {
      type: 'text',
      short: 'o',
      choices: ['json', 'yaml'],
      help: 'json or yaml; a table by default.',
    },
    'no-headers': { type: 'switch', help: 'Leave the line of headers out.' },
    manager: { type: 'text', help: 'Only what this manager owns.' },
    subresource: { type: 'text', help: 'Only what was written through this subresource.' },
  },
  async run({ context, flags, args }) {
    const { showOwners } = await import('../history/show-owners.ts');
    await showOwners(context, flags, args);
  },
});
