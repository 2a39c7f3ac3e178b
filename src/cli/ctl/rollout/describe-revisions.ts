import { Description } from '../describe/description.ts';
import { writePodTemplate } from '../describe/parts/pod-template.ts';
import { World } from '../describe/world.ts';
import type { CommandContext } from '../context.ts';
import { DEFAULT_CHUNK_SIZE } from '../resources/read-objects.ts';
import type { Revision } from './revision.ts';

/** Revisions by number, the first one first. */
export function inOrder(revisions: ReadonlyMap<number, Revision>): readonly Revision[] {
  return [...revisions.values()].sort((a, b) => a.number - b.number);
}

const TITLE = 'REVISION';
const GAP = 2;

/** A line for each revision: its number, and why it came about where somebody said so. */
export function listRevisions(revisions: readonly Revision[]): string {
  const last = revisions.at(-1);
  if (last === undefined) return 'No rollout history found.';
  const width = Math.max(TITLE.length, String(last.number).length) + GAP;
  const lines = revisions.map(
    ({ number, changeCause }) =>
      `${String(number).padEnd(width)}${changeCause === '' ? '<none>' : changeCause}\n`,
  );
  return `${TITLE.padEnd(width)}CHANGE-CAUSE\n${lines.join('')}`;
}

/** The pod template of a revision, its cells between tabs, as kubectl has them here. */
export async function describeTemplate(context: CommandContext, { template }: Revision): Promise<string> {
  const [api, mapper] = [await context.api(), await context.resources()];
  const world = new World({ api, mapper, now: Date.now(), chunkSize: DEFAULT_CHUNK_SIZE });
  const page = new Description();
  writePodTemplate(page, template, world);
  return page.unaligned();
}
