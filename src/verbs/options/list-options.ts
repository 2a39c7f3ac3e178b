import { forbidden, notSupported, type FieldError } from '../../errors/field-error.ts';
import { badRequestError, invalidError } from '../../errors/status-errors.ts';
import { parseRevision, ZERO_REVISION, type Revision } from '../../meta/revision.ts';
import type { ReadAt, WatchRequest } from '../../store/object-store.ts';
import { booleanParameter, integerParameter, textParameter } from './query.ts';

/** What a list or a watch asks for, as its query says. */
export interface ListOptions {
  readonly labelSelector: string;
  readonly fieldSelector: string;
  /** As sent; '' when absent. */
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  /** 0 and less: no limit. */
  readonly limit: number;
  readonly continueToken: string;
  readonly timeoutSeconds: number | undefined;
  readonly allowWatchBookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
}

/** Reads the options of a list or watch. @throws ApiError 400 for numbers that are none. */
export function readListOptions(query: URLSearchParams): ListOptions {
  return {
    labelSelector: textParameter(query, 'labelSelector'),
    fieldSelector: textParameter(query, 'fieldSelector'),
    resourceVersion: textParameter(query, 'resourceVersion'),
    resourceVersionMatch: textParameter(query, 'resourceVersionMatch'),
    limit: integerParameter(query, 'limit') ?? 0,
    continueToken: textParameter(query, 'continue'),
    timeoutSeconds: integerParameter(query, 'timeoutSeconds'),
    allowWatchBookmarks: booleanParameter(query, 'allowWatchBookmarks') ?? false,
    sendInitialEvents: booleanParameter(query, 'sendInitialEvents'),
  };
}

const EXACT = 'Exact';
const NOT_OLDER_THAN = 'NotOlderThan';
const MATCH = 'resourceVersionMatch';

/** @throws ApiError 422 for combinations that a list doesn't allow. */
export function checkListOptions(options: ListOptions, metaGroup: string): void {
  const { resourceVersionMatch: match, resourceVersion } = options;
  const errors: FieldError[] = [];
  if (match !== '') {
    if (resourceVersion === '') errors.push(forbidden(MATCH, 'needs a resourceVersion'));
    if (options.continueToken !== '') errors.push(forbidden(MATCH, 'the continue token sets the version'));
    if (match !== EXACT && match !== NOT_OLDER_THAN)
      errors.push(notSupported(MATCH, match, [EXACT, NOT_OLDER_THAN]));
    if (match === EXACT && resourceVersion === '0') {
      errors.push(
        forbidden(MATCH, 'resourceVersion 0 stands for any version and can not be matched exactly'),
      );
    }
  }
  if (options.sendInitialEvents !== undefined) {
    errors.push(forbidden('sendInitialEvents', 'only a watch has initial events'));
  }
  refuse(errors, metaGroup);
}

/** A watch from no version in particular starts with the state, whether it says so or not. */
export function withInitialEvents(options: ListOptions): ListOptions {
  const { sendInitialEvents, resourceVersion, resourceVersionMatch } = options;
  if (sendInitialEvents !== undefined || resourceVersionMatch !== '' || !isUnset(resourceVersion))
    return options;
  return { ...options, sendInitialEvents: true, resourceVersionMatch: NOT_OLDER_THAN };
}

/**
 * @param streamsLists whether watches may ask for initial events (gate WatchList).
 * @throws ApiError 422 for combinations that a watch doesn't allow, after {@link withInitialEvents}.
 */
export function checkWatchOptions(
  options: ListOptions,
  { metaGroup, streamsLists }: { metaGroup: string; streamsLists: boolean },
): void {
  const silent = options.sendInitialEvents === undefined;
  const match = options.resourceVersionMatch;
  const errors: FieldError[] = [];
  if (!silent && match !== NOT_OLDER_THAN) {
    errors.push(forbidden(MATCH, `sendInitialEvents needs resourceVersionMatch=${NOT_OLDER_THAN}`));
  }
  if (!silent && !streamsLists) {
    errors.push(forbidden('sendInitialEvents', 'the feature gate WatchList is off'));
  }
  if (match !== '') {
    if (silent) errors.push(forbidden(MATCH, 'a watch has it only together with sendInitialEvents'));
    if (match !== NOT_OLDER_THAN) errors.push(notSupported(MATCH, match, [NOT_OLDER_THAN]));
    if (options.continueToken !== '')
      errors.push(forbidden(MATCH, 'a watch can not start from a continue token'));
  }
  refuse(errors, metaGroup);
}

function isUnset(resourceVersion: string): boolean {
  return resourceVersion === '' || resourceVersion === '0';
}

function refuse(errors: readonly FieldError[], metaGroup: string): void {
  if (errors.length > 0) throw invalidError({ group: metaGroup, kind: 'ListOptions' }, '', errors);
}

/** Reads a client's resourceVersion. @throws ApiError 400 when it is no version. */
export function requireRevision(resourceVersion: string): Revision {
  const revision = parseRevision(resourceVersion);
  if (revision === undefined) {
    throw badRequestError(
      `the query parameter resourceVersion is not a version: ${JSON.stringify(resourceVersion)}`,
    );
  }
  return revision;
}

/**
 * How fresh a get must be, or which past state it asks for: `resourceVersionMatch=Exact` with a version is an extension
 * of ours. The interface has no other use for that parameter on a get, and ignores it. @throws ApiError 400.
 */
export function readAtOfGet(query: URLSearchParams): ReadAt {
  const resourceVersion = textParameter(query, 'resourceVersion');
  if (resourceVersion === '') return { at: 'latest' };
  const revision = requireRevision(resourceVersion);
  if (revision === ZERO_REVISION) return { at: 'any' };
  return { at: query.get(MATCH) === EXACT ? 'exact' : 'notOlderThan', revision };
}

/** How fresh a list must be, from options that passed {@link checkListOptions}. @throws ApiError 400. */
export function readAtOfList(options: ListOptions): ReadAt {
  const { resourceVersion } = options;
  if (options.continueToken !== '') {
    if (!isUnset(resourceVersion)) {
      throw badRequestError('the continue token sets the version: resourceVersion must not be set with it');
    }
    return { at: 'latest' };
  }
  if (resourceVersion === '') return { at: 'latest' };
  const revision = requireRevision(resourceVersion);
  if (revision === ZERO_REVISION) return { at: 'any' };
  const exact =
    options.resourceVersionMatch === EXACT || (options.resourceVersionMatch === '' && options.limit > 0);
  return { at: exact ? 'exact' : 'notOlderThan', revision };
}

/** Where a watch starts; `now` stands for the newest revision, without initial events. @throws ApiError 400. */
export function startOfWatch(options: ListOptions): WatchRequest['start'] | 'now' {
  const { resourceVersion, sendInitialEvents = isUnset(resourceVersion) } = options;
  const revision = resourceVersion === '' ? undefined : requireRevision(resourceVersion);
  if (!sendInitialEvents) return revision ? { from: 'after', revision } : 'now';
  if (revision === undefined) return { from: 'state', at: { at: 'latest' } };
  return { from: 'state', at: revision === ZERO_REVISION ? { at: 'any' } : { at: 'notOlderThan', revision } };
}
