import { formatTime } from '../../lib/rfc3339.ts';
import { objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { ApiObject } from '../../meta/object.ts';
import type { NamingProfile } from '../../names/profile.ts';
import type { ResourceHooks } from '../hooks.ts';
import { termWarnings } from '../node/label-warnings.ts';
import { oldNodeLabels } from '../old-node-labels.ts';

/** Sources that no node has any more, with what is said of them. */
const DEPRECATED_SOURCES: readonly (readonly [field: string, path: string, since: string])[] = [
  ['cephfs', 'cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['photonPersistentDisk', 'photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['scaleIO', 'scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['storageos', 'storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['rbd', 'rbd', 'deprecated in v1.28, non-functional in v1.31+'],
];

/** PersistentVolumes start pending, and their status says since when they are in their phase. */
export function persistentVolumeHooks(names: NamingProfile): ResourceHooks {
  return {
    keepsStatusOnCreate: true,
    prepareForCreate(volume, { now }) {
      volume['status'] = { phase: 'Pending', lastPhaseTransitionTime: formatTime(now) };
      dropAttributesClass(volume, undefined);
    },
    prepareForUpdate: dropAttributesClass,
    warnings: volumeWarnings(names),
    status: {
      prepareForUpdate(volume, old, { now }) {
        const status = objectAt(volume, 'status');
        const before = objectAt(old, 'status');
        if (status === undefined) return;
        const time = status['lastPhaseTransitionTime'];
        const timeBefore = before?.['lastPhaseTransitionTime'];
        if (textAt(status, 'phase') === textAt(before, 'phase')) {
          if (time === undefined && timeBefore !== undefined) status['lastPhaseTransitionTime'] = timeBefore;
        } else if (time === undefined || time === timeBefore) {
          status['lastPhaseTransitionTime'] = formatTime(now);
        }
      },
    },
  };
}

/** The field is of a feature that is behind a gate: only volumes that have it already keep it. */
function dropAttributesClass(volume: ApiObject, old: ApiObject | undefined): void {
  const spec = objectAt(volume, 'spec');
  const isNew = objectAt(old, 'spec')?.['volumeAttributesClassName'] === undefined;
  if (spec?.['volumeAttributesClassName'] !== undefined && isNew) delete spec['volumeAttributesClassName'];
}

function volumeWarnings(names: NamingProfile): (volume: ApiObject) => string[] {
  const annotations = [
    [names.get('storage.class-beta'), 'deprecated since v1.8; use "storageClassName" attribute instead'],
    [names.get('storage.mount-options'), 'deprecated since v1.31; use "mountOptions" attribute instead'],
  ] as const;
  const labels = oldNodeLabels(names);
  return function warningsOf(volume) {
    const texts: string[] = [];
    for (const [annotation, why] of annotations)
      if (volume.metadata.annotations?.[annotation] !== undefined)
        texts.push(`metadata.annotations[${annotation}]: ${why}`);
    const spec = objectAt(volume, 'spec');
    if (spec?.['persistentVolumeReclaimPolicy'] === 'Recycle') {
      const why =
        'The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.';
      texts.push(`spec.persistentVolumeReclaimPolicy: ${why}`);
    }
    const terms = objectsAt(objectAt(objectAt(spec, 'nodeAffinity'), 'required'), 'nodeSelectorTerms');
    const deprecated = DEPRECATED_SOURCES.filter(([field]) => objectAt(spec, field) !== undefined);
    return [
      ...texts,
      ...terms.flatMap((term, i) =>
        termWarnings(term, `spec.nodeAffinity.required.nodeSelectorTerms[${i}]`, labels),
      ),
      ...deprecated.map(([, path, since]) => `spec.${path}: ${since}`),
    ];
  };
}
