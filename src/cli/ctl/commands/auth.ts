import type { CommandGroup } from '../command.ts';

export const auth: CommandGroup = {
  description: 'Ask who one is and what one may do, and set up who may.',
  commands: [
    {
      name: 'can-i',
      summary: 'Tell whether something is allowed',
      load: async () => (await import('./auth/can-i.ts')).canI,
    },
    {
      name: 'whoami',
      summary: 'Tell as whom the server sees you',
      load: async () => (await import('./auth/who-am-i.ts')).whoAmI,
    },
    {
      name: 'reconcile',
      summary: 'Bring roles and bindings into the state that manifests say',
      load: async () => (await import('./auth/reconcile.ts')).reconcile,
    },
    {
      name: 'why',
      summary: 'Tell why something is allowed or not, and what would allow it',
      load: async () => (await import('./auth/why.ts')).why,
    },
  ],
};
