import { objectAt, textAt } from '../../meta/fields.ts';
import type { ResourceHooks } from '../hooks.ts';

/** Names in the events group that the core group has others for. */
const CORE_NAMES: Record<string, string> = {
  regarding: 'involvedObject',
  reportingController: 'reportingComponent',
};

/** Events: who reports them stands in one of two places. */
export const eventHooks: ResourceHooks = {
  selectableField: (event, path) =>
    path === 'source'
      ? textAt(objectAt(event, 'source'), 'component') || textAt(event, 'reportingComponent')
      : undefined,
  storedField(path) {
    const dot = path.indexOf('.');
    const first = dot < 0 ? path : path.slice(0, dot);
    return `${CORE_NAMES[first] ?? first}${dot < 0 ? '' : path.slice(dot)}`;
  },
};
