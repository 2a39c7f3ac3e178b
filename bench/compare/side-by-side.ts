import type { Figure } from './figures.ts';
import type { Running, Start } from './servers.ts';

/** A kind of server to measure. */
export interface Subject {
  readonly name: string;
  /** Whether the others are compared with it. */
  readonly reference?: boolean;
  readonly start: Start;
}

/** What one server showed. */
export interface Column {
  readonly name: string;
  readonly reference: boolean;
  readonly figures: readonly Figure[];
}

/** Measures something of one server after the other. */
export type StepByStep = (run: (server: Running, subject: Subject) => Promise<Figure[]>) => Promise<void>;

/**
 * Has all servers run at the same time, while `work` measures one thing after the other, each on all of them before the
 * next begins. So a machine that others use as well, for a while, slows down all of them alike.
 */
export async function sideBySide(
  subjects: readonly Subject[],
  work: (step: StepByStep) => Promise<void>,
): Promise<Column[]> {
  const running: {
    readonly subject: Subject;
    readonly server: Running;
    readonly figures: Map<string, Figure>;
  }[] = [];
  try {
    for (const subject of subjects)
      running.push({ subject, server: await subject.start(), figures: new Map() });
    await work(async (run) => {
      for (const { subject, server, figures } of running) {
        try {
          keepBest(figures, await run(server, subject));
        } catch (e) {
          // What one server can't do leaves a gap in its column.
          console.error(`bench: ${subject.name}: ${(e as Error).message}`);
        }
      }
    });
  } finally {
    await Promise.all(running.map(({ server }) => server.stop()));
  }
  return running.map(({ subject: { name, reference = false }, figures }) => ({
    ...{ name, reference },
    figures: [...figures.values()],
  }));
}

/** Takes the better ones of more figures. */
export function keepBest(figures: Map<string, Figure>, more: readonly Figure[]): void {
  for (const figure of more) {
    const known = figures.get(figure.name)?.value ?? NaN;
    const worse = figure.better === 'higher' ? figure.value < known : figure.value > known;
    if (!worse) figures.set(figure.name, figure);
  }
}
