import type { ApiObject } from '../../../meta/object.ts';
import { CtlError } from '../errors.ts';

/** Where a document stands. */
export interface Place {
  /** As the user named it; `STDIN` for the standard input. */
  readonly file: string;
  /** Counted from 1. */
  readonly document: number;
  /** The document's first line in its file, counted from 1. */
  readonly line: number;
  /** Which item of a list the object is, counted from 0. */
  readonly item?: number;
  /** The document's text, to find lines of fields in; absent for what was made from several. */
  readonly text?: string;
}

/** An object to write, as somebody wrote it down. */
export interface Manifest {
  readonly object: ApiObject;
  readonly place: Place;
}

/** What is wrong with a document, and where. */
export class ManifestError extends CtlError {
  override readonly name = 'ManifestError';
  readonly place: Place;

  /** @param line in the file; by default the document's first. */
  constructor(place: Place, why: string, options: { line?: number; cause?: unknown } = {}) {
    super(`${formatPlace(place, options.line)}: ${why}`, { cause: options.cause });
    this.place = place;
  }
}

/** `web.yaml: document 2, line 14`. */
export function formatPlace({ file, document, line, item }: Place, at = line): string {
  const inList = item === undefined ? '' : `, item ${item}`;
  return `${file}: document ${document}${inList}, line ${at}`;
}
