import type { Entry, Sink } from './log.ts';
import { redact } from './redact.ts';

export interface TextSinkOptions {
  /** Takes whole lines. */
  readonly write: (line: string) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly pid: number;
}

const LETTERS = { info: 'I', warning: 'W', error: 'E' } as const;

/** Lines as klog writes them: `I1121 09:30:00.123456    4711 store] "Message" key="value"`. Times are UTC. */
export function textSink({ write, now, pid }: TextSinkOptions): Sink {
  const process = String(pid).padStart(7);
  return (entry) => write(formatText(entry, new Date(now()), process));
}

function formatText({ severity, part, message, fields }: Entry, at: Date, process: string): string {
  const time = at.toISOString(); // 2026-11-21T09:30:00.123Z
  const head = `${LETTERS[severity]}${time.slice(5, 7)}${time.slice(8, 10)} ${time.slice(11, 23)}000 ${process}`;
  let line = `${head} ${part === '' ? 'orchd' : part}] ${JSON.stringify(message)}`;
  for (const [key, value] of Object.entries(redact(fields) as Record<string, unknown>)) {
    line += ` ${key}=${formatValue(value)}`;
  }
  return `${line}\n`;
}

function formatValue(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return JSON.stringify(value) ?? '<undefined>';
}
