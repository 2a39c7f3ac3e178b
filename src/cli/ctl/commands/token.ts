import type { CommandGroup } from '../command.ts';

export const token: CommandGroup = {
  description:
    'Make and show bootstrap tokens, by which new nodes get to know a cluster. They are Secrets of the system namespace; the server must have --enable-bootstrap-token-auth.',
  commands: [
    {
      name: 'create',
      summary: 'Create a token',
      load: async () => (await import('./token/create.ts')).create,
    },
    {
      name: 'list',
      summary: 'List the tokens that there are',
      load: async () => (await import('./token/list.ts')).list,
    },
    {
      name: 'delete',
      summary: 'Delete tokens',
      load: async () => (await import('./token/delete.ts')).remove,
    },
    {
      name: 'generate',
      summary: 'Make up a token, and create nothing',
      load: async () => (await import('./token/generate.ts')).generate,
    },
  ],
};
