import type { RunningControllers } from './controllers.ts';

/** Starts controllers when there may be work for them; not at all where they are stopped before. */
export function startLater(when: Promise<void>, start: () => RunningControllers): RunningControllers {
  let running: RunningControllers | undefined;
  let stopped = false;
  const settled = when.then(() => {
    if (!stopped) running = start();
    return running?.settled;
  });
  return {
    settled,
    async stop() {
      stopped = true;
      await running?.stop();
    },
  };
}
