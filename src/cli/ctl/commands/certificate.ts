import type { CommandGroup } from '../command.ts';

export const certificate: CommandGroup = {
  description:
    'Decide requests for certificates. What is approved, the signer that it names may sign, and whoever made it is then who it says.',
  commands: [
    {
      name: 'approve',
      summary: 'Let requests be signed',
      load: async () => (await import('./certificate/decide.ts')).approve,
    },
    {
      name: 'deny',
      summary: 'Let requests never be signed',
      load: async () => (await import('./certificate/decide.ts')).deny,
    },
  ],
};
