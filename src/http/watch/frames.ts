import { exactJson } from '../../lib/exact-json.ts';
import type { Revision } from '../../meta/revision.ts';
import type { Status } from '../../errors/api-error.ts';
import type { ApiObject } from '../../meta/object.ts';
import type { ResourceDefinition } from '../../schema/model.ts';
import type { StoredEntry, WatchEvent } from '../../store/object-store.ts';
import type { EventFormat, EventType, Format } from '../format/format.ts';
import { LIMITS } from '../limits.ts';
import type { Transform } from '../negotiate/negotiator.ts';
import type { Form } from '../respond/form.ts';
import { formFor, type FormSources } from '../respond/forms.ts';
import type { IncludeObject } from '../respond/views.ts';
import { bookmarkObject, endAnnotations, type Blueprint, type BookmarkNames } from './bookmarks.ts';

/** How many runs a stream's batch is compared with: streams with equal selectors mostly come one after the other. */
const RUNS_COMPARED = 8;

/** A run of batches that streams received alike within one turn. Streams with the same run share its encoding. */
export interface Run {
  readonly before: Run | undefined;
  readonly events: readonly WatchEvent[];
  /** Runs that continue this one. */
  readonly next: Run[];
  pieces: readonly Buffer[] | undefined;
}

/** What encoders share. */
export interface FrameParts {
  readonly sources: FormSources;
  readonly names: BookmarkNames;
  /** Rises with every flush. */
  readonly turn: () => number;
}

/** What the objects of a watch look like. */
export interface FrameChoice {
  /** One that can be streamed. */
  readonly format: Format;
  readonly transform?: Transform;
  readonly include: IncludeObject;
}

/**
 * Encodes the events of one resource in one form. All watches of it share one encoder, so that in each turn an event is
 * encoded once, and what several watches send alike is joined once.
 */
export class FrameEncoder {
  readonly #format: Format;
  readonly #events: EventFormat;
  readonly #form: Form;
  /** Of a stream's first event, where that differs: a Table names its columns once. */
  readonly #firstForm: Form | undefined;
  readonly #resource: ResourceDefinition;
  readonly #turn: () => number;
  /** Of this turn only: the store keeps its events for minutes, their frames would double it. */
  readonly #frames = new Map<WatchEvent, Buffer>();
  #framesOfTurn = -1;
  readonly #names: BookmarkNames;
  readonly #blueprint: Blueprint;
  /** Of this turn only, too. */
  #bookmark: { readonly revision: Revision; readonly frame: Buffer } | undefined;
  #heads: Run[] = [];

  constructor(resource: ResourceDefinition, choice: FrameChoice, parts: FrameParts) {
    const { sources, names } = parts;
    const table = choice.transform?.kind === 'Table';
    if (choice.format.events === undefined) throw new Error('the format can not be streamed');
    this.#format = choice.format;
    this.#events = choice.format.events;
    this.#resource = resource;
    this.#names = names;
    this.#turn = parts.turn;
    this.#form = formFor(resource, { ...choice, columns: false }, sources);
    this.#firstForm = table ? formFor(resource, { ...choice, columns: true }, sources) : undefined;
    this.#blueprint = { ...choice, metaGroup: sources.metaGroup };
  }

  get resource(): ResourceDefinition {
    return this.#resource;
  }

  /** Whether a stream's first event differs from the others. */
  get introduces(): boolean {
    return this.#firstForm !== undefined;
  }

  /** The frame of an event, the same for all that send it in this turn. */
  frame(event: WatchEvent): Buffer {
    this.#forgetOldTurns();
    let frame = this.#frames.get(event);
    if (frame === undefined) {
      frame = this.#encode(event.type, event.entry, this.#form);
      this.#frames.set(event, frame);
    }
    return frame;
  }

  /** The frame of a stream's first event. */
  firstFrame(event: WatchEvent): Buffer {
    return this.#encode(event.type, event.entry, this.#firstForm ?? this.#form);
  }

  /** Copies frames into `piece` from `index` on, without keeping them. @returns how far it got. */
  fill(piece: Buffer, events: readonly WatchEvent[], index: number): { index: number; used: number } {
    const { tail } = this.#events;
    let used = 0;
    let i = index;
    for (; i < events.length; i++) {
      const { type, entry } = events[i] as WatchEvent;
      const object = this.#form.single({ entry });
      const head = this.#events.head(type, object.length);
      if (used + head.length + object.length + tail.length > piece.length) break;
      used += head.copy(piece, used);
      used += object.copy(piece, used);
      used += tail.copy(piece, used);
    }
    return { index: i, used };
  }

  /** Continues a run with a batch. Streams that continue alike get the same run. */
  extend(run: Run | undefined, events: readonly WatchEvent[]): Run {
    this.#forgetOldTurns();
    const known = run === undefined ? this.#heads : run.next;
    const oldest = Math.max(0, known.length - RUNS_COMPARED);
    for (let i = known.length - 1; i >= oldest; i--) {
      const candidate = known[i] as Run;
      if (sameEvents(candidate.events, events)) return candidate;
    }
    const next: Run = { before: run, events, next: [], pieces: undefined };
    known.push(next);
    return next;
  }

  /** The run's bytes in pieces of at most 256 KB (but never less than an event), encoded once. */
  pieces(run: Run): readonly Buffer[] {
    return (run.pieces ??= joinFrames(this.#framesOf(run)));
  }

  /** A BOOKMARK: everything up to `revision` has been sent. @param first whether the stream's first event. */
  bookmark(revision: Revision, first = false): Buffer {
    const object = bookmarkObject(this.#resource, revision);
    if (first) return this.#bookmarkFrame(object, this.#firstForm);
    this.#forgetOldTurns();
    if (this.#bookmark?.revision !== revision)
      this.#bookmark = { revision, frame: this.#bookmarkFrame(object) };
    return this.#bookmark.frame;
  }

  /** The BOOKMARK that ends the initial events. */
  endBookmark(revision: Revision): Buffer {
    const object = bookmarkObject(this.#resource, revision);
    object.metadata.annotations = endAnnotations(this.#resource, this.#names, this.#blueprint);
    return this.#bookmarkFrame(object);
  }

  /** An ERROR: the watch can't go on. */
  error(status: Status): Buffer {
    return this.#around('ERROR', this.#format.whole(Buffer.from(exactJson(status))));
  }

  #bookmarkFrame(object: ApiObject, form = this.#form): Buffer {
    return this.#around('BOOKMARK', form.single({ object }));
  }

  #forgetOldTurns(): void {
    if (this.#framesOfTurn === this.#turn()) return;
    this.#framesOfTurn = this.#turn();
    this.#frames.clear();
    this.#bookmark = undefined;
    this.#heads = [];
  }

  #encode(type: WatchEvent['type'], entry: StoredEntry, form: Form): Buffer {
    return this.#around(type, form.single({ entry }));
  }

  #around(type: EventType, object: Buffer): Buffer {
    return Buffer.concat([this.#events.head(type, object.length), object, this.#events.tail]);
  }

  #framesOf(last: Run): Buffer[] {
    const runs: Run[] = [];
    for (let run: Run | undefined = last; run !== undefined; run = run.before) runs.push(run);
    const frames: Buffer[] = [];
    for (let i = runs.length - 1; i >= 0; i--) {
      for (const event of (runs[i] as Run).events) frames.push(this.frame(event));
    }
    return frames;
  }
}

function sameEvents(a: readonly WatchEvent[], b: readonly WatchEvent[]): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function joinFrames(frames: readonly Buffer[]): readonly Buffer[] {
  if (frames.length <= 1) return frames;
  const pieces: Buffer[] = [];
  let start = 0;
  let size = 0;
  for (let i = 0; i < frames.length; i++) {
    const { length } = frames[i] as Buffer;
    if (size + length > LIMITS.pieceBytes && i > start) {
      pieces.push(Buffer.concat(frames.slice(start, i), size));
      start = i;
      size = 0;
    }
    size += length;
  }
  pieces.push(Buffer.concat(frames.slice(start), size));
  return pieces;
}
