import type { JsonObject } from '../../meta/object.ts';
import type { ResourceHooks } from '../hooks.ts';

/** A part of the control plane that can be asked whether it is well. */
export interface ComponentCheck {
  readonly name: string;
  /** @returns what it says of itself; `healthy: false` when it answers that it isn't, or not at all. */
  check(signal: AbortSignal): Promise<ComponentHealth>;
}

export interface ComponentHealth {
  readonly healthy: boolean;
  readonly message?: string;
  readonly error?: string;
}

/** Component statuses are no objects of the store: each is a check that runs when it is read. */
export function componentStatusHooks(checks: readonly ComponentCheck[]): ResourceHooks {
  const byName = new Map(checks.map((one) => [one.name, one]));
  return {
    virtual: {
      names: [...byName.keys()],
      async read(name, signal) {
        const health = await byName.get(name)?.check(signal);
        return { metadata: { name }, conditions: [condition(health ?? { healthy: false })] };
      },
    },
  };
}

function condition({ healthy, message = '', error = '' }: ComponentHealth): JsonObject {
  return {
    type: 'Healthy',
    status: healthy ? 'True' : 'False',
    ...(message === '' ? {} : { message }),
    ...(error === '' ? {} : { error }),
  };
}
