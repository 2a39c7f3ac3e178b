import type { Query } from '../request/requests.ts';
import type { DeleteOptions, ListOptions, WatchOptions, WriteOptions } from './options.ts';

export function listQuery(options: ListOptions): Query {
  const { labelSelector, fieldSelector, limit, resourceVersion, resourceVersionMatch } = options;
  return {
    labelSelector,
    fieldSelector,
    limit,
    continue: options.continue,
    // A token holds the version already.
    ...(options.continue === undefined ? { resourceVersion, resourceVersionMatch } : {}),
  };
}

export function watchQuery(options: WatchOptions): Query {
  const { signal: _signal, ...query } = options;
  return { watch: true, ...query };
}

export function writeQuery(options: WriteOptions): Query {
  const { dryRun, fieldManager, fieldValidation } = options;
  return { dryRun: dryRun === true ? 'All' : undefined, fieldManager, fieldValidation };
}

/** The body of a delete; undefined where there is nothing to say. */
export function deleteBody(options: DeleteOptions): object | undefined {
  const { dryRun, gracePeriodSeconds, propagationPolicy, preconditions } = options;
  const said = {
    ...(dryRun === true ? { dryRun: ['All'] } : {}),
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(preconditions === undefined ? {} : { preconditions }),
  };
  if (Object.keys(said).length === 0) return undefined;
  return { apiVersion: 'v1', kind: 'DeleteOptions', ...said };
}
