import { resolve } from 'node:path';
import { parseLabelSelector } from '../../../meta/label-selector.ts';
import type { CommandContext } from '../context.ts';
import { CtlError } from '../errors.ts';
import type { Manifest } from '../manifests/manifest.ts';
import type { ReadManifests } from '../manifests/read-manifests.ts';
import { requireManifests, type ManifestChoice } from './flags.ts';

/**
 * Reads what `-f` or `-k` name, and tells what is odd about it.
 *
 * @throws CtlError when nothing is named, or something that isn't there.
 */
export async function loadManifests(context: CommandContext, choice: ManifestChoice): Promise<ReadManifests> {
  requireManifests(choice);
  const found = await (choice.kustomize ? build(context, choice.kustomize) : read(context, choice));
  for (const warning of found.warnings) await context.stderr.write(`Warning: ${warning}\n`);
  const { selector = '' } = choice;
  if (selector === '') return found;
  const wanted = selectorOf(selector);
  return {
    ...found,
    manifests: found.manifests.filter(({ object }) => wanted.matches(object.metadata.labels)),
  };
}

function selectorOf(text: string): ReturnType<typeof parseLabelSelector> {
  try {
    return parseLabelSelector(text);
  } catch (cause) {
    throw new CtlError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

async function read({ cwd, stdin, signal }: CommandContext, choice: ManifestChoice): Promise<ReadManifests> {
  const { readManifests } = await import('../manifests/read-manifests.ts');
  const { filename: filenames, recursive } = choice;
  return readManifests({ filenames, recursive, cwd, stdin: () => stdin.chunks(), signal });
}

async function build({ cwd }: CommandContext, folder: string): Promise<ReadManifests> {
  if (/^[a-z]+:\/\//i.test(folder))
    throw new CtlError(`${folder}: remote kustomizations are not read; clone them and name their folder`);
  const { buildKustomization } = await import('../manifests/kustomize/build.ts');
  const objects = await buildKustomization(resolve(cwd, folder));
  const manifests = objects.map((object, index): Manifest => {
    return { object, place: { file: folder, document: index + 1, line: 1 } };
  });
  return { manifests, errors: [], warnings: [] };
}
