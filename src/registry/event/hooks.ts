import { objectAt, textAt } from '../fields.ts';
import type { ResourceHooks } from '../hooks.ts';

/** Events: who reports them stands in one of two places. */
export const eventHooks: ResourceHooks = {
  selectableField: (event, path) =>
    path === 'source'
      ? textAt(objectAt(event, 'source'), 'component') || textAt(event, 'reportingComponent')
      : undefined,
};
