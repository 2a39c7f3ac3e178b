import type { Readable } from 'node:stream';
import { ApiError } from '../errors/api-error.ts';
import { badRequestError, tooManyRequestsError } from '../errors/status-errors.ts';
import type { RequestBody } from '../request/context.ts';
import type { TranslatedYaml } from '../schema/parse/yaml-thread.ts';
import { isLongYaml } from '../schema/parse/yaml.ts';
import { LIMITS } from './limits.ts';

/** The memory that the bodies of all requests under way may take together. */
export class BodyBudget {
  readonly #limit: number;
  #used = 0;

  constructor(limit: number = LIMITS.allBodiesBytes) {
    this.#limit = limit;
  }

  get used(): number {
    return this.#used;
  }

  /** @returns whether there is room for `bytes` more; they are then taken. */
  take(bytes: number): boolean {
    if (this.#used + bytes > this.#limit) return false;
    this.#used += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#used -= bytes;
  }
}

/** Reads the body of one request, within the limits of one and of all. */
export class BodyReader {
  readonly #budget: BodyBudget;
  #taken = 0;

  constructor(budget: BodyBudget) {
    this.#budget = budget;
  }

  /**
   * Reads to the end.
   *
   * @param contentLength the header as received.
   * @throws ApiError 413 for a body that is too large, 429 when those of other requests leave no room (the rest then
   *   stays unread), 400 when the client stops in the middle.
   */
  read(stream: Readable, contentLength: string | undefined): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      if (contentLength !== undefined && Number(contentLength) > LIMITS.bodyBytes) {
        reject(tooLarge());
        return;
      }
      if (stream.destroyed) {
        reject(cutShort());
        return;
      }
      const chunks: Buffer[] = [];
      // Listeners stay, and do nothing any more once this is true: taking them off costs as much as adding them.
      let settled = false;
      const settle = (error?: Error): void => {
        if (settled) return;
        settled = true;
        if (error !== undefined) reject(error);
        else resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, this.#taken));
      };
      const onData = (chunk: Buffer): void => {
        if (settled) return;
        const refusal = this.#take(chunk.length);
        if (refusal === undefined) {
          chunks.push(chunk);
          return;
        }
        stream.pause();
        settle(refusal);
      };
      const onEnd = (): void => settle();
      const onCut = (): void => {
        if (!settled) settle(cutShort());
      };
      stream.on('data', onData).on('end', onEnd).on('error', onCut).on('close', onCut);
    });
  }

  /** The request is over: its body takes no memory any more. */
  release(): void {
    if (this.#taken > 0) this.#budget.give(this.#taken);
    this.#taken = 0;
  }

  #take(bytes: number): ApiError | undefined {
    if (this.#taken + bytes > LIMITS.bodyBytes) return tooLarge();
    if (!this.#budget.take(bytes)) return tooManyRequestsError('too many large requests at the same time', 1);
    this.#taken += bytes;
    return undefined;
  }
}

/** The body with what says how to read it. */
export function toRequestBody(bytes: Buffer, contentType: string): RequestBody {
  const semicolon = contentType.indexOf(';');
  const type = semicolon < 0 ? contentType : contentType.slice(0, semicolon);
  return { bytes, contentType, mediaType: type.trim().toLowerCase() };
}

/**
 * The body as verbs can read it at once: long YAML becomes the JSON that it stands for, which is YAML, too.
 *
 * @throws ApiError 400, 413, 429.
 */
export async function withoutLongYaml(
  body: RequestBody,
  translate: (yaml: Uint8Array) => Promise<TranslatedYaml>,
): Promise<RequestBody> {
  const { bytes, mediaType } = body;
  if (!mediaType.endsWith('yaml') || !isLongYaml(bytes)) return body;
  const { json, repeated } = await translate(bytes);
  return { ...body, bytes: Buffer.from(json.buffer), repeated };
}

function tooLarge(): ApiError {
  return new ApiError('RequestEntityTooLarge', `Request entity too large: limit is ${LIMITS.bodyBytes}`);
}

function cutShort(): ApiError {
  return badRequestError('the request ended before its body was complete');
}
