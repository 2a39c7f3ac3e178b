import type { StructType } from '../model.ts';
import type { ApiParameter } from './paths.ts';

export const NAME: ApiParameter = { name: 'name', in: 'path', type: 'string' };
export const NAMESPACE: ApiParameter = { name: 'namespace', in: 'path', type: 'string' };
export const SUBPATH: ApiParameter = { name: 'path', in: 'path', type: 'string' };
export const PRETTY = query('pretty', 'string');

/** Of create and update. */
export const WRITE = [
  query('dryRun', 'string'),
  query('fieldManager', 'string'),
  query('fieldValidation', 'string'),
];

export const PATCH = [...WRITE, query('force', 'boolean')];

export const DELETE = [
  query('dryRun', 'string'),
  query('gracePeriodSeconds', 'integer'),
  query('ignoreStoreReadErrorWithClusterBreakingPotential', 'boolean'),
  query('orphanDependents', 'boolean'),
  query('propagationPolicy', 'string'),
];

/** What a collection is narrowed by. */
export const SELECT = [
  query('continue', 'string'),
  query('fieldSelector', 'string'),
  query('labelSelector', 'string'),
  query('limit', 'integer'),
  query('resourceVersion', 'string'),
  query('resourceVersionMatch', 'string'),
  query('sendInitialEvents', 'boolean'),
  query('timeoutSeconds', 'integer'),
];

export const LIST = [query('allowWatchBookmarks', 'boolean'), ...SELECT, query('watch', 'boolean')];

function query(name: string, type: ApiParameter['type']): ApiParameter {
  return { name, in: 'query', type };
}

/** Query parameters from the fields of an options type; those that no parameter can hold are left out. */
export function optionParameters(options: StructType | undefined): ApiParameter[] {
  const parameters: ApiParameter[] = [];
  for (const { name, type } of options?.fields ?? []) {
    if (name === 'kind' || name === 'apiVersion') continue;
    switch (type.kind === 'list' ? type.items.kind : type.kind) {
      case 'string':
        parameters.push(query(name, 'string'));
        break;
      case 'boolean':
        parameters.push(query(name, 'boolean'));
        break;
      case 'int32':
      case 'int64':
        parameters.push(query(name, 'integer'));
        break;
      default:
    }
  }
  return parameters;
}
