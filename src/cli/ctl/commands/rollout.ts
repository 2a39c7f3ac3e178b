import type { CommandGroup } from '../command.ts';

export const rollout: CommandGroup = {
  description: 'Hold, go on with and begin the rolling out of what deployments and their like describe.',
  commands: [
    {
      name: 'pause',
      summary: 'Hold what is rolling out',
      load: async () => (await import('./rollout/pause.ts')).pause,
    },
    {
      name: 'resume',
      summary: 'Go on with what is held',
      load: async () => (await import('./rollout/pause.ts')).resume,
    },
  ],
};
