import { exactJson } from '../../lib/exact-json.ts';
import type { Revision } from '../../meta/revision.ts';
import type { Status } from '../../errors/api-error.ts';
import { formatGroupVersion } from '../../meta/object.ts';
import type { ResourceDefinition } from '../../schema/model.ts';
import type { StoredEntry, WatchEvent } from '../../store/object-store.ts';
import { LIMITS } from '../limits.ts';
import type { Transform } from '../negotiate/negotiator.ts';
import { formFor, type Form, type FormSources, type IncludeObject } from '../respond/forms.ts';

const PREFIX = {
  ADDED: Buffer.from('{"type":"ADDED","object":'),
  MODIFIED: Buffer.from('{"type":"MODIFIED","object":'),
  DELETED: Buffer.from('{"type":"DELETED","object":'),
} as const;
const SUFFIX = Buffer.from('}\n');

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

/** The names that the naming profile gives to annotations of the bookmark that ends the initial events. */
export interface BookmarkNames {
  readonly initialEventsEnd: string;
  readonly initialEventsListBlueprint: string;
}

/** What encoders share. */
export interface FrameParts {
  readonly sources: FormSources;
  readonly names: BookmarkNames;
  /** Rises with every flush. */
  readonly turn: () => number;
}

export interface FrameChoice {
  readonly transform?: Transform;
  readonly include: IncludeObject;
}

/**
 * Encodes the events of one resource in one form. All watches of it share one encoder, so that in each turn an event is
 * encoded once, and what several watches send alike is joined once.
 */
export class FrameEncoder {
  readonly #form: Form;
  /** Of a stream's first event, where that differs: a Table names its columns once. */
  readonly #firstForm: Form | undefined;
  readonly #resource: ResourceDefinition;
  readonly #turn: () => number;
  /** Of this turn only: the store keeps its events for minutes, their frames would double it. */
  readonly #frames = new Map<WatchEvent, Buffer>();
  #framesOfTurn = -1;
  readonly #bookmarkKind: { kind: string; apiVersion: string; listKind: string };
  readonly #names: BookmarkNames;
  #heads: Run[] = [];

  constructor(resource: ResourceDefinition, choice: FrameChoice, parts: FrameParts) {
    const { sources, names } = parts;
    const table = choice.transform?.kind === 'Table';
    this.#resource = resource;
    this.#names = names;
    this.#turn = parts.turn;
    this.#form = formFor(resource, { ...choice, columns: false }, sources);
    this.#firstForm = table ? formFor(resource, { ...choice, columns: true }, sources) : undefined;
    this.#bookmarkKind = bookmarkKind(resource, choice.transform, sources.metaGroup);
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
    let used = 0;
    let i = index;
    for (; i < events.length; i++) {
      const { type, entry } = events[i] as WatchEvent;
      const object = this.#form.single({ entry });
      const prefix = PREFIX[type];
      if (used + prefix.length + object.length + SUFFIX.length > piece.length) break;
      used += prefix.copy(piece, used);
      used += object.copy(piece, used);
      used += SUFFIX.copy(piece, used);
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

  /** A BOOKMARK: everything up to `revision` has been sent. */
  bookmark(revision: Revision, endsInitialEvents: boolean): Buffer {
    const { kind, apiVersion, listKind } = this.#bookmarkKind;
    const blueprint = { kind: listKind, apiVersion, metadata: {}, items: null };
    const annotations = {
      [this.#names.initialEventsEnd]: 'true',
      [this.#names.initialEventsListBlueprint]: Buffer.from(`${exactJson(blueprint)}\n`).toString('base64'),
    };
    const metadata = {
      resourceVersion: String(revision),
      creationTimestamp: null,
      ...(endsInitialEvents ? { annotations } : {}),
    };
    return Buffer.from(`${exactJson({ type: 'BOOKMARK', object: { kind, apiVersion, metadata } })}\n`);
  }

  #forgetOldTurns(): void {
    if (this.#framesOfTurn === this.#turn()) return;
    this.#framesOfTurn = this.#turn();
    this.#frames.clear();
    this.#heads = [];
  }

  #encode(type: WatchEvent['type'], entry: StoredEntry, form: Form): Buffer {
    return Buffer.concat([PREFIX[type], form.single({ entry }), SUFFIX]);
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

/** An ERROR event: the watch can't go on. */
export function errorFrame(status: Status): Buffer {
  return Buffer.from(`${exactJson({ type: 'ERROR', object: status })}\n`);
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

function bookmarkKind(
  resource: ResourceDefinition,
  transform: Transform | undefined,
  metaGroup: string,
): { kind: string; apiVersion: string; listKind: string } {
  if (transform === undefined || transform.kind === 'Table') {
    const { kind, listKind } = resource;
    return { kind, listKind, apiVersion: formatGroupVersion(resource.group, resource.version) };
  }
  const apiVersion = formatGroupVersion(metaGroup, transform.version);
  return { kind: 'PartialObjectMetadata', listKind: 'PartialObjectMetadataList', apiVersion };
}
