import { invalid, notSupported, type FieldError } from '../../errors/field-error.ts';
import { badRequestError, invalidError } from '../../errors/status-errors.ts';
import type { Json, JsonObject } from '../../meta/object.ts';
import { booleanParameter, integerParameter } from './query.ts';
import { checkDryRun } from './write-options.ts';

const POLICIES = ['Background', 'Foreground', 'Orphan'] as const;
export type PropagationPolicy = (typeof POLICIES)[number];

/** How to delete. What is undefined was not asked for. */
export interface DeleteOptions {
  readonly dryRun: boolean;
  readonly gracePeriodSeconds: number | undefined;
  readonly orphanDependents: boolean | undefined;
  readonly propagationPolicy: PropagationPolicy | undefined;
  /** The object must have these, or nothing happens (409). */
  readonly preconditions: { readonly uid?: string; readonly resourceVersion?: string };
}

/** Delete options as sent, before they are checked. */
interface SentOptions {
  readonly dryRun: readonly string[];
  readonly gracePeriodSeconds: number | undefined;
  readonly orphanDependents: boolean | undefined;
  readonly propagationPolicy: string | undefined;
  readonly preconditions: { readonly uid?: string; readonly resourceVersion?: string };
}

/**
 * Takes a delete's options from its body, or from its query when it has none.
 *
 * @param body decoded as DeleteOptions. @throws ApiError 400, 422 with every problem.
 */
export function readDeleteOptions(
  body: JsonObject | undefined,
  query: URLSearchParams,
  metaGroup: string,
): DeleteOptions {
  const sent = body === undefined ? fromQuery(query) : fromBody(body);
  const errors = check(sent);
  if (errors.length > 0) throw invalidError({ group: metaGroup, kind: 'DeleteOptions' }, '', errors);
  return {
    dryRun: sent.dryRun.length > 0,
    gracePeriodSeconds: sent.gracePeriodSeconds,
    orphanDependents: sent.orphanDependents,
    propagationPolicy: sent.propagationPolicy as PropagationPolicy | undefined,
    preconditions: sent.preconditions,
  };
}

function fromQuery(query: URLSearchParams): SentOptions {
  return {
    dryRun: query.getAll('dryRun'),
    gracePeriodSeconds: integerParameter(query, 'gracePeriodSeconds'),
    orphanDependents: booleanParameter(query, 'orphanDependents'),
    propagationPolicy: query.get('propagationPolicy') ?? undefined,
    preconditions: preconditions(query.get('uid'), query.get('resourceVersion')),
  };
}

function fromBody(body: JsonObject): SentOptions {
  const { gracePeriodSeconds, orphanDependents, propagationPolicy } = body;
  const sent =
    typeof body.preconditions === 'object' && !Array.isArray(body.preconditions) ? body.preconditions : null;
  return {
    dryRun: Array.isArray(body.dryRun) ? body.dryRun.map(String) : [],
    gracePeriodSeconds: integer(gracePeriodSeconds),
    orphanDependents: typeof orphanDependents === 'boolean' ? orphanDependents : undefined,
    propagationPolicy: typeof propagationPolicy === 'string' ? propagationPolicy : undefined,
    preconditions: preconditions(sent?.uid, sent?.resourceVersion),
  };
}

function integer(value: Json | undefined): number | undefined {
  if (typeof value === 'bigint') return value > 0n ? Number.MAX_SAFE_INTEGER : Number.MIN_SAFE_INTEGER;
  return typeof value === 'number' ? value : undefined;
}

function preconditions(
  uid: Json | undefined,
  resourceVersion: Json | undefined,
): SentOptions['preconditions'] {
  return {
    ...(typeof uid === 'string' && uid !== '' ? { uid } : {}),
    ...(typeof resourceVersion === 'string' && resourceVersion !== '' ? { resourceVersion } : {}),
  };
}

/** The longest grace period, seconds: a deletion time beyond year 9999 has no RFC 3339 form. */
const LONGEST_GRACE = 250_000_000_000;

function check(sent: SentOptions): FieldError[] {
  const errors: FieldError[] = checkDryRun(sent.dryRun);
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
  return errors;
}
