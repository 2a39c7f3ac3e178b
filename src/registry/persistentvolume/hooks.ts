import { formatTime } from '../../lib/rfc3339.ts';
import { objectAt, textAt } from '../../meta/fields.ts';
import type { ResourceHooks } from '../hooks.ts';

/** PersistentVolumes start pending, and their status says since when they are in their phase. */
export const persistentVolumeHooks: ResourceHooks = {
  keepsStatusOnCreate: true,
  prepareForCreate(volume, { now }) {
    volume.status = { phase: 'Pending', lastPhaseTransitionTime: formatTime(now) };
  },
  status: {
    prepareForUpdate(volume, old, { now }) {
      const status = objectAt(volume, 'status');
      const before = objectAt(old, 'status');
      if (status === undefined) return;
      if (
        textAt(status, 'phase') !== textAt(before, 'phase') &&
        status.lastPhaseTransitionTime === before?.lastPhaseTransitionTime
      ) {
        status.lastPhaseTransitionTime = formatTime(now);
      }
    },
  },
};

/** PersistentVolumeClaims start pending. */
export const persistentVolumeClaimHooks: ResourceHooks = {
  keepsStatusOnCreate: true,
  prepareForCreate(claim) {
    claim.status = { phase: 'Pending' };
  },
};
