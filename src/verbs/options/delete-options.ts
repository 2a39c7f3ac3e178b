import { invalid, notSupported, type FieldError } from '../../errors/field-error.ts';
import { badRequestError, invalidError } from '../../errors/status-errors.ts';
import { formatGroupVersion, type Json, type JsonObject } from '../../meta/object.ts';
import { booleanParameter, dryRunParameter, integerParameter } from './query.ts';
import { checkDryRun } from './write-options.ts';

const POLICIES = ['Background', 'Foreground', 'Orphan'] as const;
/** What becomes of an object's dependents. */
export type PropagationPolicy = (typeof POLICIES)[number];

/** What an object must have, or nothing happens to it (409). */
export interface Preconditions {
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/** How to delete. What is undefined was not asked for. */
export interface DeleteOptions {
  readonly dryRun: boolean;
  readonly gracePeriodSeconds: number | undefined;
  readonly orphanDependents: boolean | undefined;
  readonly propagationPolicy: PropagationPolicy | undefined;
  readonly preconditions: Preconditions | undefined;
  /** Whether the object is to be removed unread, because it can't be read. */
  readonly unread: boolean;
}

/** The interface's name for {@link DeleteOptions.unread}. */
export const UNREAD_OPTION = 'ignoreStoreReadErrorWithClusterBreakingPotential';

/** Delete options as sent, before they are checked. */
interface SentOptions {
  readonly dryRun: readonly string[];
  readonly gracePeriodSeconds: number | undefined;
  readonly orphanDependents: boolean | undefined;
  readonly propagationPolicy: string | undefined;
  readonly preconditions: Preconditions | undefined;
  readonly unread: boolean;
}

/** Where a delete's options come from. */
export interface DeleteOptionsSource {
  /** Decoded as DeleteOptions; undefined: there is none, and the query counts. */
  readonly body: JsonObject | undefined;
  readonly query: URLSearchParams;
  /** The group of the options kinds, from the naming profile. */
  readonly metaGroup: string;
  /** Whether {@link DeleteOptions.unread} is known; otherwise it is as if it were not sent. */
  readonly allowsUnread: boolean;
}

/** Takes a delete's options from its body, or from its query when it has none. @throws ApiError 400, 422 with every problem. */
export function readDeleteOptions(source: DeleteOptionsSource): DeleteOptions {
  const { body, query, metaGroup } = source;
  const sent = body === undefined ? fromQuery(query) : fromBody(body);
  const unread = sent.unread && source.allowsUnread;
  const errors = [...check(sent), ...(unread ? checkUnread(sent) : [])];
  if (errors.length > 0) throw deleteOptionsInvalid(metaGroup, errors);
  return {
    dryRun: sent.dryRun.length > 0,
    gracePeriodSeconds: sent.gracePeriodSeconds,
    orphanDependents: sent.orphanDependents,
    propagationPolicy: sent.propagationPolicy as PropagationPolicy | undefined,
    preconditions: sent.preconditions,
    unread,
  };
}

/** 422 for the options of a delete. */
export function deleteOptionsInvalid(metaGroup: string, errors: readonly FieldError[]): Error {
  return invalidError({ group: metaGroup, kind: 'DeleteOptions' }, '', errors);
}

/** The options as the object that admission webhooks and policies see. */
export function deleteOptionsObject(options: DeleteOptions, metaGroup: string): JsonObject {
  const { dryRun, gracePeriodSeconds, orphanDependents, propagationPolicy, preconditions, unread } = options;
  return {
    kind: 'DeleteOptions',
    apiVersion: formatGroupVersion(metaGroup, 'v1'),
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(preconditions === undefined ? {} : { preconditions: { ...preconditions } }),
    ...(orphanDependents === undefined ? {} : { orphanDependents }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(dryRun ? { dryRun: ['All'] } : {}),
    ...(unread ? { [UNREAD_OPTION]: true } : {}),
  };
}

function fromQuery(query: URLSearchParams): SentOptions {
  const uid = query.get('uid') ?? '';
  const resourceVersion = query.get('resourceVersion') ?? '';
  const preconditions = {
    ...(uid === '' ? {} : { uid }),
    ...(resourceVersion === '' ? {} : { resourceVersion }),
  };
  return {
    dryRun: dryRunParameter(query),
    gracePeriodSeconds: integerParameter(query, 'gracePeriodSeconds'),
    orphanDependents: booleanParameter(query, 'orphanDependents'),
    propagationPolicy: query.get('propagationPolicy') ?? undefined,
    preconditions: Object.keys(preconditions).length === 0 ? undefined : preconditions,
    unread: booleanParameter(query, UNREAD_OPTION) ?? false,
  };
}

function fromBody(body: JsonObject): SentOptions {
  const { gracePeriodSeconds, orphanDependents, propagationPolicy } = body;
  return {
    dryRun: Array.isArray(body.dryRun) ? body.dryRun.map(String) : [],
    gracePeriodSeconds: integer(gracePeriodSeconds),
    orphanDependents: typeof orphanDependents === 'boolean' ? orphanDependents : undefined,
    propagationPolicy: typeof propagationPolicy === 'string' ? propagationPolicy : undefined,
    preconditions: preconditionsOf(body.preconditions),
    unread: body[UNREAD_OPTION] === true,
  };
}

function integer(value: Json | undefined): number | undefined {
  if (typeof value === 'bigint') return value > 0n ? Number.MAX_SAFE_INTEGER : Number.MIN_SAFE_INTEGER;
  return typeof value === 'number' ? value : undefined;
}

/** Empty texts in a body are demands like others, which nothing meets. */
function preconditionsOf(sent: Json | undefined): Preconditions | undefined {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return undefined;
  const { uid, resourceVersion } = sent;
  return {
    ...(typeof uid === 'string' ? { uid } : {}),
    ...(typeof resourceVersion === 'string' ? { resourceVersion } : {}),
  };
}

/** The longest grace period, seconds: a deletion time beyond year 9999 has no RFC 3339 form. */
const LONGEST_GRACE = 250_000_000_000;

function check(sent: SentOptions): FieldError[] {
  const errors: FieldError[] = [];
  const { propagationPolicy, gracePeriodSeconds } = sent;
  if (propagationPolicy !== undefined) {
    if (sent.orphanDependents !== undefined) {
      errors.push(
        invalid('propagationPolicy', propagationPolicy, 'can not be set together with orphanDependents'),
      );
    }
    if (!(POLICIES as readonly string[]).includes(propagationPolicy)) {
      errors.push(notSupported('propagationPolicy', propagationPolicy, POLICIES));
    }
  }
  if (gracePeriodSeconds !== undefined && gracePeriodSeconds > LONGEST_GRACE) {
    throw badRequestError(`gracePeriodSeconds is too large: ${gracePeriodSeconds}`);
  }
  return [...errors, ...checkDryRun(sent.dryRun)];
}

/** What can't be read can't be weighed either. */
function checkUnread(sent: SentOptions): FieldError[] {
  const set: [option: string, isSet: boolean][] = [
    ['dryRun', sent.dryRun.length > 0],
    ['propagationPolicy', sent.propagationPolicy !== undefined],
    ['orphanDependents', sent.orphanDependents !== undefined],
    ['gracePeriodSeconds', sent.gracePeriodSeconds !== undefined],
    ['preconditions', sent.preconditions !== undefined],
  ];
  return set
    .filter(([, isSet]) => isSet)
    .map(([option]) => invalid(UNREAD_OPTION, true, `can not be set together with ${option}`));
}
