import { parentPort } from 'node:worker_threads';
import { ApiError } from '../../errors/api-error.ts';
import { exactJson } from '../../lib/exact-json.ts';
import type { WorkerAnswer } from './yaml-thread.ts';
import { readYaml } from './yaml.ts';

/** The thread on which long YAML is read: texts in, JSON out. */
parentPort?.on('message', (bytes: Uint8Array) => {
  const answer = read(bytes);
  parentPort?.postMessage(answer, 'json' in answer ? [answer.json.buffer] : []);
});

function read(bytes: Uint8Array): WorkerAnswer {
  try {
    const { value, duplicates } = readYaml(bytes);
    const json = new TextEncoder().encode(exactJson(value));
    return { json, repeated: duplicates.map(({ message }) => message) };
  } catch (error) {
    if (error instanceof ApiError) return { refusal: error.message };
    return { fault: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}
