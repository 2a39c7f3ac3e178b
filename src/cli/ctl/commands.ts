import type { CommandEntry } from './command.ts';

/** Commands under a heading of `orchctl --help`. */
export interface CommandSection {
  readonly title: string;
  readonly commands: readonly CommandEntry[];
}

/** Every command of orchctl. A line here and a file in `commands/` are all that a new one needs. */
export const SECTIONS: readonly CommandSection[] = [
  {
    title: 'Look',
    commands: [
      {
        name: 'get',
        summary: 'Show objects, as tables or otherwise',
        load: async () => (await import('./commands/get.ts')).get,
      },
      {
        name: 'api-resources',
        summary: 'List the resources that the server has',
        load: async () => (await import('./commands/api-resources.ts')).apiResources,
      },
    ],
  },
];
