import { request } from 'node:https';

/** What a program said of itself. */
export interface ProbeAnswer {
  readonly ok: boolean;
  /** What it answered, or why there is no answer. */
  readonly text: string;
}

const MAX_BYTES = 10_000;

/**
 * Asks a program on this machine whether it is well: a GET that counts as yes from 200 to 399. The certificate isn't
 * checked: such programs make their own, and nothing that matters is sent or believed.
 */
export function probeHealth(url: string, signal: AbortSignal): Promise<ProbeAnswer> {
  return new Promise((resolve) => {
    const fail = (error: Error): void => resolve({ ok: false, text: `GET ${url}: ${error.message}` });
    const asked = request(url, { rejectUnauthorized: false, agent: false, signal }, (answer) => {
      const { statusCode = 0 } = answer;
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (part: string) => {
        if (text.length < MAX_BYTES) text += part;
        if (text.length >= MAX_BYTES) answer.destroy();
      });
      answer.on('error', fail);
      answer.on('close', () => {
        const ok = statusCode >= 200 && statusCode < 400;
        resolve({ ok, text: ok ? text.slice(0, MAX_BYTES) : `the health check answered ${statusCode}` });
      });
    });
    asked.on('error', fail).end();
  });
}
