import type { Clock } from '../lib/clock.ts';
import { jsonSink } from '../telemetry/log/json.ts';
import { createLog, type Log } from '../telemetry/log/log.ts';
import { textSink } from '../telemetry/log/text.ts';
import type { LogOptions } from './options/options.ts';

/** The log that the flags ask for. @param write takes whole lines. */
export async function openLog(
  options: LogOptions,
  write: (line: string) => void,
  clock: Clock,
): Promise<Log> {
  const now = (): number => clock.now();
  const sink =
    options.format === 'json' ? await jsonSink({ write }, now) : textSink({ write, now, pid: process.pid });
  return createLog({ sink, verbosity: options.verbosity, modules: options.modules });
}
