import { CtlError } from '../errors.ts';
import { parseDocument } from './parse-document.ts';
import type { Manifest } from './manifest.ts';
import { findSources, type SourceOptions } from './sources.ts';
import { splitDocuments } from './split-documents.ts';

export interface ReadManifests {
  /** In the order in which they were named and stand. */
  readonly manifests: readonly Manifest[];
  /** What can't be used, one error for each mistake: the rest can. */
  readonly errors: readonly CtlError[];
  /** What is odd about the texts. */
  readonly warnings: readonly string[];
}

/** More objects than one call should write; as a bound for what is held in memory. */
const MAX_OBJECTS = 100_000;

/**
 * Reads all objects of files, folders, addresses and the standard input.
 *
 * @throws CtlError when something that was named isn't there: the command line is wrong then, and nothing is done.
 */
export async function readManifests(options: SourceOptions): Promise<ReadManifests> {
  const manifests: Manifest[] = [];
  const errors: CtlError[] = [];
  const warnings: string[] = [];
  for (const source of await findSources(options)) {
    options.signal.throwIfAborted();
    let text: string;
    try {
      text = await source.read();
    } catch (error) {
      if (!(error instanceof CtlError)) throw error;
      errors.push(error);
      continue;
    }
    let document = 0;
    for (const found of splitDocuments(text)) {
      const parsed = parseDocument({ file: source.name, document: ++document, ...found });
      manifests.push(...parsed.manifests);
      errors.push(...parsed.errors);
      warnings.push(...parsed.warnings);
      if (manifests.length > MAX_OBJECTS)
        throw new CtlError(`more than ${MAX_OBJECTS} objects at once are not read`);
    }
  }
  return { manifests, errors, warnings };
}
