import { configMapHooks } from '../configmap/hooks.ts';
import { oldNodeLabels } from '../old-node-labels.ts';
import { persistentVolumeHooks } from '../persistentvolume/hooks.ts';
import { persistentVolumeClaimHooks } from '../persistentvolumeclaim/hooks.ts';
import { resourceClaimHooks, resourceClaimTemplateHooks } from '../resource/hooks.ts';
import { secretHooks } from '../secret/hooks.ts';
import { statusKeepsMetadata } from '../status-metadata.ts';
import { csiDriverHooks, storageCapacityHooks, storageClassHooks } from '../storage/hooks.ts';
import type { HooksTable, TableParts } from './parts.ts';

/** What workloads use: configuration, volumes, devices. */
export function dataTable({ names }: TableParts): HooksTable {
  const oldLabels = oldNodeLabels(names);
  return {
    'core.ConfigMap': configMapHooks,
    'core.PersistentVolume': persistentVolumeHooks(names),
    'core.PersistentVolumeClaim': persistentVolumeClaimHooks(names),
    'core.Secret': secretHooks(names),
    'resource.ResourceClaim': resourceClaimHooks,
    'resource.ResourceClaimTemplate': resourceClaimTemplateHooks,
    'storage.CSIDriver': csiDriverHooks,
    'storage.CSIStorageCapacity': storageCapacityHooks(oldLabels),
    'storage.StorageClass': storageClassHooks(oldLabels),
    'storage.VolumeAttachment': statusKeepsMetadata,
  };
}
