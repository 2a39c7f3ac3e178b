import type { Json, JsonObject } from '../../meta/object.ts';
import type { NamingProfile } from '../../names/profile.ts';
import { age, count, flag, name, row, text, type Cell, type RowCells } from './cell.ts';
import { get, objectAt, objectsAt, textAt } from '../../meta/fields.ts';

/** Access modes and their short forms, in the order that rows show them. */
const ACCESS_MODES: readonly (readonly [mode: string, short: string])[] = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
];

function accessModes(modes: Json | undefined): string {
  if (!Array.isArray(modes)) return '';
  return ACCESS_MODES.filter(([mode]) => modes.includes(mode))
    .map(([, short]) => short)
    .join(',');
}

/** A volume's or claim's class: the annotation of earlier releases, if it is there, wins. */
function storageClass(annotation: string): Cell {
  return (object) => {
    const annotations = objectAt(objectAt(object, 'metadata'), 'annotations');
    const old =
      annotations !== undefined && Object.hasOwn(annotations, annotation)
        ? annotations[annotation]
        : undefined;
    return typeof old === 'string' ? old : textAt(objectAt(object, 'spec'), 'storageClassName');
  };
}

const phase: Cell = (object) =>
  objectAt(object, 'metadata')?.deletionTimestamp == null
    ? textAt(objectAt(object, 'status'), 'phase')
    : 'Terminating';

const volumeMode = text('spec.volumeMode', '<unset>');
const attributesClass = text('spec.volumeAttributesClassName', '<unset>');
const volumeModes = get('spec.accessModes');

const volumeCapacity: Cell = (object) =>
  textAt(objectAt(objectAt(object, 'spec'), 'capacity'), 'storage') || '0';

const claim: Cell = (object) => {
  const ref = objectAt(objectAt(object, 'spec'), 'claimRef');
  return ref === undefined ? '' : `${textAt(ref, 'namespace')}/${textAt(ref, 'name')}`;
};

/** A claim tells capacity and modes once it is bound. */
function bound(object: JsonObject): boolean {
  return textAt(objectAt(object, 'spec'), 'volumeName') !== '';
}

const claimCapacity: Cell = (object) =>
  bound(object) ? textAt(objectAt(objectAt(object, 'status'), 'capacity'), 'storage') || '0' : '';

const claimModes: Cell = (object) =>
  bound(object) ? accessModes(objectAt(object, 'status')?.accessModes) : '';

const tokenRequests: Cell = (object) => {
  const spec = objectAt(object, 'spec');
  if (!Array.isArray(spec?.tokenRequests)) return '<unset>';
  return objectsAt(spec, 'tokenRequests')
    .map((r) => textAt(r, 'audience'))
    .join(',');
};

const lifecycleModes: Cell = (object) => {
  const modes = objectAt(object, 'spec')?.volumeLifecycleModes;
  return Array.isArray(modes) && modes.length > 0 ? modes.map(String).join(',') : '<none>';
};

/** A class's name, marked when an annotation makes it the default. */
function className(...annotations: string[]): Cell {
  return (object, now) => {
    const found = objectAt(objectAt(object, 'metadata'), 'annotations');
    const isDefault = annotations.some(
      (a) => found !== undefined && Object.hasOwn(found, a) && found[a] === 'true',
    );
    return isDefault ? `${String(name(object, now))} (default)` : name(object, now);
  };
}

/** Rows of the storage kinds, by package and kind. */
export function storageCells(names: NamingProfile): Record<string, RowCells> {
  const volumeClass = storageClass(names.get('storage.class-beta'));
  return {
    'core.PersistentVolume': row(
      name,
      volumeCapacity,
      (object) => accessModes(volumeModes(object)),
      text('spec.persistentVolumeReclaimPolicy'),
      phase,
      claim,
      volumeClass,
      attributesClass,
      text('status.reason'),
      age,
      volumeMode,
    ),
    'core.PersistentVolumeClaim': row(
      name,
      phase,
      text('spec.volumeName'),
      claimCapacity,
      claimModes,
      volumeClass,
      attributesClass,
      age,
      volumeMode,
    ),
    'storage.CSIDriver': row(
      name,
      flag('spec.attachRequired', true),
      flag('spec.podInfoOnMount'),
      flag('spec.storageCapacity'),
      tokenRequests,
      flag('spec.requiresRepublish'),
      lifecycleModes,
      age,
    ),
    'storage.CSINode': row(name, count('spec.drivers'), age),
    'storage.StorageClass': row(
      className(names.get('storage.default-class'), names.get('storage.default-class-beta')),
      text('provisioner'),
      text('reclaimPolicy', 'Delete'),
      text('volumeBindingMode', 'Immediate'),
      flag('allowVolumeExpansion'),
      age,
    ),
    'storage.VolumeAttachment': row(
      name,
      text('spec.attacher'),
      text('spec.source.persistentVolumeName'),
      text('spec.nodeName'),
      flag('status.attached'),
      age,
    ),
    'storage.VolumeAttributesClass': row(
      className(names.get('storage.default-attributes-class')),
      text('driverName'),
      age,
    ),
  };
}
