import { objectAt, textAt } from '../../meta/fields.ts';
import { rowOf, type Controller } from '../controller.ts';
import { keepWhileUsed } from './protect.ts';

/** Keeps PersistentVolumes that are bound to a claim. */
export const volumeProtection: Controller = {
  name: 'persistentvolume-protection-controller',
  start: (parts) =>
    keepWhileUsed(parts, {
      row: rowOf(parts.schemas, ['', 'v1', 'persistentvolumes']),
      finalizer: parts.names.get('finalizer.pv-protection'),
      isUsed: (volume) => Promise.resolve(textAt(objectAt(volume, 'status'), 'phase') === 'Bound'),
    }),
};
