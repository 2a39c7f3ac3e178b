import { ConfigError } from '../../client/config-error.ts';
import {
  CtlError,
  ServerError,
  SeveralErrors,
  SilentExit,
  UsageError,
  type FailureStatus,
} from './errors.ts';

/** What the user reads of an error, line end included, and the exit code; in kubectl's words where it has some. */
export interface RenderedError {
  readonly text: string;
  readonly exitCode: number;
}

/** @param command such as `orchctl get`, for where to read on. */
export function renderError(error: unknown, command: string): RenderedError {
  if (error instanceof SilentExit) return { text: '', exitCode: error.exitCode };
  if (error instanceof SeveralErrors) {
    return { text: error.errors.map((one) => `${inList(one)}\n`).join(''), exitCode: 1 };
  }
  if (error instanceof ServerError) return { text: `${serverText(error.status)}\n`, exitCode: 1 };
  if (error instanceof UsageError) {
    return {
      text: `error: ${error.message}\nSee '${command} --help' for usage.\n`,
      exitCode: error.exitCode,
    };
  }
  if (error instanceof CtlError || error instanceof ConfigError) {
    const hint = error.hint === undefined ? '' : `${error.hint}\n`;
    const exitCode = error instanceof CtlError ? error.exitCode : 1;
    return { text: `error: ${error.message}\n${hint}`, exitCode };
  }
  return { text: `${connectionText(error)}\n`, exitCode: 1 };
}

/** Among others, an error stands without its `error: `. */
function inList(error: unknown): string {
  if (error instanceof ServerError) return serverText(error.status);
  return error instanceof Error ? error.message : String(error);
}

/** One line of what went wrong, for commands that go on: the server's words as kubectl shows them. */
export function errorLine(error: unknown): string {
  return inList(error);
}

function serverText(status: FailureStatus): string {
  const { reason, message = '' } = status;
  if (reason === 'Invalid') return invalidText(status);
  if (reason === 'Unauthorized') return `error: You must be logged in to the server (${message})`;
  return reason === undefined || reason === ''
    ? `Error from server: ${message}`
    : `Error from server (${reason}): ${message}`;
}

function invalidText({ message = '', details }: FailureStatus): string {
  const { kind = '', name = '', causes = [] } = details ?? {};
  const named = kind !== '' || name !== '';
  const head = named ? `The ${kind} ${JSON.stringify(name)} is invalid` : 'The request is invalid';
  const lines = [...new Set(causes.map(({ field, message: why }) => `${field ?? ''}: ${why ?? ''}`))];
  if (lines.length === 1) return `${head}: ${lines[0]}`;
  if (lines.length > 1) return `${head}: \n${lines.map((line) => `* ${line}`).join('\n')}`;
  return named || message === '' ? head : `${head}: ${message}`;
}

/** What went wrong below HTTP, and what to look at. */
function connectionText(error: unknown): string {
  const cause = rootCause(error);
  const message = cause instanceof Error ? cause.message : String(cause);
  const { code, address, port } = cause as NodeJS.ErrnoException & { address?: string; port?: number };
  switch (code) {
    case 'ECONNREFUSED':
      return `The connection to the server ${address ?? ''}:${port ?? ''} was refused - did you specify the right host or port?`;
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return `Unable to connect to the server: its certificate is signed by an unknown authority\nName the authority with --certificate-authority, or in the configuration.`;
    case 'CERT_HAS_EXPIRED':
      return `Unable to connect to the server: its certificate has expired`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `Unable to connect to the server: ${message}\nIs the host's name right? orchctl config view shows the server of the context.`;
    default:
      break;
  }
  if (cause instanceof Error && cause.name === 'TimeoutError') {
    return 'Unable to connect to the server: no answer within --request-timeout';
  }
  return code === undefined ? `error: ${message}` : `Unable to connect to the server: ${message}`;
}

/** The innermost cause that has a code. */
function rootCause(error: unknown): unknown {
  let found = error;
  for (let one = error; one instanceof Error; one = one.cause) {
    if (one instanceof AggregateError && one.errors.length > 0) return rootCause(one.errors[0]);
    if ('code' in one || one.name === 'TimeoutError') found = one;
  }
  return found;
}
