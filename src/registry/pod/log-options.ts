import { badRequestError, invalidError } from '../../errors/status-errors.ts';
import { forbidden, invalid, notSupported, required, type FieldError } from '../../errors/field-error.ts';
import { canonicalTime } from '../../meta/time.ts';
import { flagValue } from '../../request/query-values.ts';

/** What a request for a log asks, as a node agent is asked. */
export interface LogOptions {
  /** '' where none is named. */
  readonly container: string;
  readonly skipsVerification: boolean;
  /** For the agent. */
  readonly query: URLSearchParams;
}

const FLAGS = ['follow', 'previous', 'timestamps'];
const STREAMS = ['All', 'Stderr', 'Stdout'];
const INT64 = 1n << 63n;

/**
 * Reads PodLogOptions from a query.
 *
 * @param splitsStreams whether one of the container's streams may be chosen (gate PodLogsQuerySplitStreams).
 * @throws ApiError 400 for what can't be read, 422 for what makes no sense.
 */
export function readLogOptions(asked: URLSearchParams, name: string, splitsStreams: boolean): LogOptions {
  const query = new URLSearchParams();
  for (const flag of FLAGS) if (flagValue(asked.get(flag))) query.set(flag, 'true');
  const numbers = new Map(
    ['sinceSeconds', 'tailLines', 'limitBytes'].flatMap((field) => {
      const text = asked.get(field);
      return text === null ? [] : [[field, readNumber(field, text)] as const];
    }),
  );
  const since = readTime(asked.get('sinceTime') ?? '');
  const stream = asked.get('stream');
  const errors = [
    ...numberErrors(numbers, since !== ''),
    ...(splitsStreams ? streamErrors(stream ?? 'All', numbers) : noStream(stream)),
  ];
  if (errors.length > 0) throw invalidError({ group: '', kind: 'PodLogOptions' }, name, errors);
  for (const [field, number] of numbers) query.set(field, String(number));
  if (since !== '') query.set('sinceTime', since);
  if (splitsStreams) query.set('stream', stream ?? 'All');
  return {
    container: asked.get('container') ?? '',
    skipsVerification: flagValue(asked.get('insecureSkipTLSVerifyBackend')),
    query,
  };
}

function readNumber(field: string, text: string): bigint {
  const number = /^[+-]?\d{1,30}$/.test(text) ? BigInt(text.replace('+', '')) : INT64;
  if (number >= INT64 || number < -INT64)
    throw badRequestError(`${field}: ${JSON.stringify(text)} is no integer`);
  return number;
}

/** @returns '' for none. */
function readTime(text: string): string {
  if (text === '' || text === 'null') return '';
  const time = canonicalTime(text);
  if (time == null) throw badRequestError(`sinceTime: ${JSON.stringify(text)} is no time`);
  return time;
}

/** The least of each. */
const LEAST: Readonly<Record<string, bigint>> = { tailLines: 0n, limitBytes: 1n, sinceSeconds: 1n };

function numberErrors(numbers: ReadonlyMap<string, bigint>, hasTime: boolean): FieldError[] {
  const both = hasTime && numbers.has('sinceSeconds');
  const errors = Object.entries(LEAST).flatMap(([field, least]) => {
    const number = numbers.get(field);
    if (number === undefined || number >= least || (both && field === 'sinceSeconds')) return [];
    const rule = least === 0n ? 'must be greater than or equal to 0' : 'must be greater than 0';
    return [invalid(field, number, rule)];
  });
  if (both) errors.push(forbidden('[]', 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  return errors;
}

function streamErrors(stream: string, numbers: ReadonlyMap<string, bigint>): FieldError[] {
  if (stream === '') return [required('stream', 'must be specified')];
  return [
    ...(STREAMS.includes(stream) ? [] : [notSupported('stream', stream, STREAMS)]),
    ...(stream !== 'All' && numbers.has('tailLines')
      ? [forbidden('[]', '`tailLines` can not be combined with a single `stream`')]
      : []),
  ];
}

function noStream(stream: string | null): FieldError[] {
  return stream === null ? [] : [forbidden('stream', 'may not be specified')];
}
