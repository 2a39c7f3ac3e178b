import type { JsonObject } from '../../../meta/object.ts';
import type { CommandContext } from '../context.ts';
import { CtlError, throwCollected } from '../errors.ts';
import type { OutputChoice } from '../print/output-flags.ts';
import { findTarget, type WriteTarget } from './find-target.ts';
import type { DryRun, ManifestChoice, WriteChoice } from './flags.ts';
import { loadManifests } from './load-manifests.ts';
import { locatedError } from './located-error.ts';
import { Report } from './report.ts';

export interface EachManifest {
  /** For messages: `create` and `creating`. */
  readonly verb: string;
  readonly doing: string;
  /** What is told of an object that was written, e.g. `created`. */
  readonly done: string;
  /** Writes an object. @returns it as the server has it. */
  readonly write: (target: WriteTarget) => Promise<JsonObject>;
  /** Is done before anything is written. */
  readonly first?: (targets: readonly WriteTarget[]) => Promise<void>;
}

/** Writes manifests one after the other, and tells of each; an error of one doesn't keep the others back. */
export async function eachManifest(
  context: CommandContext,
  choice: ManifestChoice & WriteChoice & OutputChoice,
  { verb, doing, done, write, first }: EachManifest,
): Promise<void> {
  const report = await Report.open(context, choice);
  const { manifests, errors: mistakes } = await loadManifests(context, choice);
  if (manifests.length === 0 && mistakes.length === 0) throw new CtlError(`no objects passed to ${verb}`);
  const errors: unknown[] = [...mistakes];
  const mapper = await context.resources();
  const namespace = await context.namespace();
  const sendsNothing = (choice['dry-run'] as DryRun) === 'client';
  const targets: WriteTarget[] = [];
  for (const manifest of manifests) {
    try {
      targets.push(findTarget(manifest, mapper, namespace));
    } catch (error) {
      errors.push(error);
    }
  }
  await first?.(targets);
  for (const target of targets) {
    let written: JsonObject;
    try {
      written = sendsNothing ? target.object : await write(target);
    } catch (error) {
      context.signal.throwIfAborted();
      errors.push(locatedError(error, doing, target.place));
      continue;
    }
    await report.done(written, done);
  }
  throwCollected(errors);
}
