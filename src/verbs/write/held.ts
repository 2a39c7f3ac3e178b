import { ApiError } from '../../errors/api-error.ts';
import type { ApiObject } from '../../meta/object.ts';
import type { Reservation } from '../../registry/hooks.ts';
import type { Writing } from './writing.ts';

/** What a write has set aside for its object in pools that objects share, until it is known what became of the write. */
export class Held {
  #reservation: Reservation | undefined;
  readonly #undos: (() => Promise<void>)[] = [];

  /** Sets aside what the object needs; what was set aside before is given back. @throws ApiError 422, 500. */
  async take({ dependencies, request, options }: Writing, object: ApiObject, old?: ApiObject): Promise<void> {
    const { reserve } = dependencies.hooksOf(request.resource);
    if (reserve === undefined) return;
    await this.#giveBack();
    this.#reservation = await reserve(object, old, { dryRun: options.dryRun });
  }

  /** Something besides is given back by `undo`, which doesn't fail. */
  readonly add = (undo: () => Promise<void>): void => void this.#undos.push(undo);

  /** The object is stored. */
  async commit(): Promise<void> {
    const reservation = this.#reservation;
    this.#reservation = undefined;
    this.#undos.length = 0;
    await reservation?.commit();
  }

  /** The object is not stored. */
  async undo(): Promise<void> {
    for (const undo of this.#undos.splice(0).reverse()) await undo();
    await this.#giveBack();
  }

  /**
   * The write failed. Where it isn't certain that nothing was stored, everything stays set aside: better lost for a
   * while than given to two.
   */
  async failed(error: unknown): Promise<void> {
    if (error instanceof ApiError && error.code < 500) await this.undo();
  }

  async #giveBack(): Promise<void> {
    const reservation = this.#reservation;
    this.#reservation = undefined;
    await reservation?.undo();
  }
}
