import { isObject, objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { Json, JsonObject } from '../../meta/object.ts';

/** What the client is told at the end of a program: a Status without kind and version, as clients know it. */
export type Outcome = JsonObject;

/** The program has ended well. */
export const SUCCESS: Outcome = { metadata: {}, status: 'Success' };

/** Something else than the program has failed. */
export function failure(message: string): Outcome {
  return {
    metadata: {},
    status: 'Failure',
    message: `Internal error occurred: ${message}`,
    reason: 'InternalError',
    details: { causes: [{ message }] },
    code: 500,
  };
}

/**
 * What an agent's last words mean.
 *
 * @param coded whether they are a Status, as they are in the protocols that know exit codes; else any words are an error.
 */
export function outcomeOf(words: string, coded: boolean): Outcome {
  if (words === '') return SUCCESS;
  if (!coded) return failure(`error executing remote command: ${words}`);
  const status = parsed(words);
  if (status === undefined)
    return failure(`the node agent's last words are no status: ${JSON.stringify(words)}`);
  if (status['status'] === 'Success') return SUCCESS;
  const code = status['reason'] === 'NonZeroExitCode' ? exitCode(status) : undefined;
  return code === undefined ? failure(textAt(status, 'message')) : exited(code);
}

/** What an agent says that refuses a connection: a Status, or a text. */
export function refusalOf(words: string): Outcome {
  const status = parsed(words);
  if (status?.['kind'] === 'Status') {
    const { kind: _kind, apiVersion: _apiVersion, ...outcome } = status;
    return outcome;
  }
  return failure(`unable to upgrade connection: ${words.trim()}`);
}

function exited(code: number): Outcome {
  return {
    metadata: {},
    status: 'Failure',
    message: `command terminated with non-zero exit code: command terminated with exit code ${code}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
  };
}

function exitCode(status: JsonObject): number | undefined {
  const cause = objectsAt(objectAt(status, 'details') ?? {}, 'causes').find(
    ({ reason }) => reason === 'ExitCode',
  );
  const text = textAt(cause ?? {}, 'message');
  return /^\d{1,3}$/.test(text) && Number(text) < 256 ? Number(text) : undefined;
}

function parsed(words: string): JsonObject | undefined {
  try {
    const value = JSON.parse(words) as Json;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
