import type { CommandGroup } from '../command.ts';

export const auth: CommandGroup = {
  description: 'Ask what one may do.',
  commands: [
    {
      name: 'can-i',
      summary: 'Tell whether something is allowed',
      load: async () => (await import('./auth/can-i.ts')).canI,
    },
  ],
};
