import { ApiError } from '../../errors/api-error.ts';
import type { ApiObject } from '../../meta/object.ts';
import type { Reservation } from '../../registry/hooks.ts';
import type { Writing } from './writing.ts';

/** What a write has set aside for its object in pools that objects share, until it is known what became of the write. */
export class Held {
  #reservation: Reservation | undefined;

  /** Sets aside what the object needs; what was set aside before is given back. @throws ApiError 422, 500. */
  async take({ dependencies, request, options }: Writing, object: ApiObject, old?: ApiObject): Promise<void> {
    const { reserve } = dependencies.hooksOf(request.resource);
    if (reserve === undefined) return;
    await this.undo();
    this.#reservation = await reserve(object, old, { dryRun: options.dryRun });
  }

  /** The object is stored. */
  async commit(): Promise<void> {
    const reservation = this.#reservation;
    this.#reservation = undefined;
    await reservation?.commit();
  }

  /** The object is not stored. */
  async undo(): Promise<void> {
    const reservation = this.#reservation;
    this.#reservation = undefined;
    await reservation?.undo();
  }

  /**
   * The write failed. Where it isn't certain that nothing was stored, everything stays set aside: better lost for a
   * while than given to two.
   */
  async failed(error: unknown): Promise<void> {
    if (error instanceof ApiError && error.code < 500) await this.undo();
  }
}
