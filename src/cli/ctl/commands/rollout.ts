import type { CommandGroup } from '../command.ts';

export const rollout: CommandGroup = {
  description:
    'Follow, hold, take back and begin again the rolling out of what deployments and their like describe.',
  commands: [
    {
      name: 'status',
      summary: 'Follow a rollout until it is done',
      load: async () => (await import('./rollout/status.ts')).status,
    },
    {
      name: 'history',
      summary: 'Show the revisions that can be gone back to',
      load: async () => (await import('./rollout/history.ts')).history,
    },
    {
      name: 'undo',
      summary: 'Go back to a revision',
      load: async () => (await import('./rollout/undo.ts')).undo,
    },
    {
      name: 'restart',
      summary: 'Have all pods replaced',
      load: async () => (await import('./rollout/restart.ts')).restart,
    },
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
