import type { AdmissionPlugin } from '../admission/admission.ts';
import { readClass } from '../admission/classes.ts';
import { defaultIngressClass } from '../admission/default-ingress-class/plugin.ts';
import { runtimeClass } from '../admission/runtime-class/plugin.ts';
import {
  defaultStorageClass,
  persistentVolumeClaimResize,
  storageObjectInUseProtection,
} from '../admission/storage/plugins.ts';
import { taintNodesByCondition } from '../admission/taint-nodes-by-condition/plugin.ts';
import { listIn } from './admission-lists.ts';
import type { AdmissionParts } from './admission-parts.ts';
import type { AdmissionReads } from './admission-reads.ts';

/** The plugins that complete objects by the classes that there are, and by what the system adds to all. */
export function classPlugins(
  { names, schemas, store }: AdmissionParts,
  reads: AdmissionReads,
): readonly AdmissionPlugin[] {
  const row = (group: string, resource: string) => schemas.resource(group, 'v1', resource);
  const networking = names.get('group.networking');
  const defaultStorage = [names.get('storage.default-class'), names.get('storage.default-class-beta')];
  const storageClasses = listIn({
    store,
    resource: row(names.get('group.storage'), 'storageclasses'),
    read: (object) => ({
      ...readClass(object, defaultStorage),
      allowsExpansion: object['allowVolumeExpansion'] === true,
    }),
  });
  const ingressClasses = listIn({
    store,
    resource: row(networking, 'ingressclasses'),
    read: (object) => readClass(object, [names.get('annotation.default-ingress-class')]),
  });
  const storage = {
    listClasses: (signal: AbortSignal) => storageClasses('', 'cached', signal),
    classAnnotation: names.get('storage.class-beta'),
  };
  return [
    storageObjectInUseProtection({
      persistentvolumes: names.get('finalizer.pv-protection'),
      persistentvolumeclaims: names.get('finalizer.pvc-protection'),
    }),
    defaultStorageClass(storage),
    persistentVolumeClaimResize(storage),
    defaultIngressClass({
      group: networking,
      listClasses: (signal) => ingressClasses('', 'cached', signal),
      classAnnotation: names.get('annotation.ingress-class'),
    }),
    runtimeClass({
      getClass: (name, signal) => reads.object(row(names.get('group.node'), 'runtimeclasses'), name, signal),
    }),
    taintNodesByCondition(names.get('taint.not-ready')),
  ];
}
