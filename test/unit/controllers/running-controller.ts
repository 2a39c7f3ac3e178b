import assert from 'node:assert/strict';
import type { Controller, RunningController } from '../../../src/controllers/controller.ts';
import type { ApiObject } from '../../../src/meta/object.ts';
import { Cluster } from '../verbs/cluster.ts';
import { controllerParts } from './controller-parts.ts';

const MERGE = 'application/merge-patch+json';
const MAX_TURNS = 3000;

/** A cluster in memory, and a controller that runs in it. */
export class ControllerWorld {
  readonly cluster: Cluster;
  /** Errors that were logged. */
  readonly failures: string[] = [];
  #running: RunningController | undefined;

  private constructor(cluster: Cluster) {
    this.cluster = cluster;
  }

  static async open(): Promise<ControllerWorld> {
    return new ControllerWorld(await Cluster.open());
  }

  start(controller: Controller): void {
    const parts = controllerParts(this.cluster, controller.name, ({ severity, fields }) => {
      if (severity === 'error') this.failures.push(String(fields['err']));
    });
    this.#running = controller.start(parts);
  }

  stop(): void {
    this.#running?.close();
  }

  /** Ends everything. Nothing may have failed that was not taken out of {@link failures}. */
  close(): void {
    this.stop();
    this.cluster.close();
    assert.deepEqual(this.failures, []);
  }

  async create(path: string, body: object): Promise<ApiObject> {
    return (await this.cluster.expect(201, `POST ${path}`, { body })).object;
  }

  async merge(path: string, body: object): Promise<ApiObject> {
    return (await this.cluster.expect(200, `PATCH ${path}`, { contentType: MERGE, body })).object;
  }

  /** @returns undefined where there is no such object. */
  async read(path: string): Promise<ApiObject | undefined> {
    const { status, object } = await this.cluster.ask(`GET ${path}`);
    return status === 200 ? object : undefined;
  }

  /** Reads an object until it is as it should be. */
  async becomes(
    path: string,
    isRight: (object: ApiObject | undefined) => boolean,
  ): Promise<ApiObject | undefined> {
    let object: ApiObject | undefined;
    for (let i = 0; i < MAX_TURNS; i++) {
      object = await this.read(path);
      if (isRight(object)) return object;
      await turn();
    }
    throw new Error(`${path} is not as it should be: ${JSON.stringify(object)}`);
  }

  goes(path: string): Promise<unknown> {
    return this.becomes(path, (object) => object === undefined);
  }

  /** Lets everything run that has been set off. */
  async settle(): Promise<void> {
    for (let i = 0; i < 100; i++) await turn();
  }
}

export function turn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
