import { posix } from 'node:path';
import { forbidden, invalid, notSupported, required, type FieldError } from '../../errors/field-error.ts';
import type { FieldPath } from '../../errors/field-path.ts';
import { objectAt, sizeOf, textAt } from '../../meta/fields.ts';
import { dnsSubdomainProblems } from '../../meta/names.ts';
import type { JsonObject } from '../../meta/object.ts';
import { compareQuantities, ZERO_QUANTITY } from '../../meta/quantity-amounts.ts';
import { parseQuantity } from '../../meta/quantity.ts';
import type { NamingProfile } from '../../names/profile.ts';
import type { TypeCheck } from '../../schema/rules/rule-book.ts';
import { addProblems } from '../problems.ts';
import { checkAccessModes } from './access-modes.ts';
import { volumeChangeErrors } from './change.ts';
import { checkOneSource, SOURCES } from './sources.ts';

const RECLAIM_POLICIES = ['Delete', 'Recycle', 'Retain'];
export const VOLUME_MODES = ['Block', 'Filesystem'];

/** Sources whose mounts take options from an annotation. */
const TAKE_OPTIONS = [
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'nfs',
  'rbd',
  'quobyte',
  'iscsi',
  'cinder',
  'cephfs',
  'azureFile',
  'vsphereVolume',
  'azureDisk',
  'photonPersistentDisk',
];

/** PersistentVolumes. */
export function persistentVolumeCheck(names: NamingProfile): TypeCheck {
  const annotation = names.get('storage.mount-options');
  const newLabels = new Map([
    [names.get('label.zone-beta'), names.get('label.zone')],
    [names.get('label.region-beta'), names.get('label.region')],
    [names.get('label.os-beta'), names.get('label.os')],
    [names.get('label.arch-beta'), names.get('label.arch')],
    [names.get('label.instance-type-beta'), names.get('label.instance-type')],
  ]);
  return (volume, at, { root, old, errors }) => {
    const spec = objectAt(volume, 'spec') ?? {};
    const path = at.child('spec');
    checkVolumeSpec(spec, path, errors);
    checkAmounts(spec, path, errors);
    checkPolicies(spec, path, errors);
    const hasOptions = root.metadata.annotations?.[annotation] !== undefined;
    if (hasOptions && !TAKE_OPTIONS.some((source) => objectAt(spec, source) !== undefined)) {
      const where = at.child('metadata').child('annotations').child(annotation);
      errors.push(forbidden(where, 'volumes of this kind are mounted without options'));
    }
    if (old !== undefined) errors.push(...volumeChangeErrors(spec, objectAt(old, 'spec') ?? {}, newLabels));
  };
}

/** What holds for volumes wherever they are described. */
function checkVolumeSpec(spec: JsonObject, at: FieldPath, errors: FieldError[]): void {
  checkAccessModes(spec, at, errors);
  checkOneSource(spec, at, errors);
}

function checkAmounts(spec: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const path = at.child('capacity');
  const capacity = objectAt(spec, 'capacity') ?? {};
  if (sizeOf(capacity) === 0) errors.push(required(path));
  if (capacity['storage'] === undefined || sizeOf(capacity) > 1) {
    errors.push(notSupported(path, capacity, ['storage']));
  }
  for (const [name, amount] of Object.entries(capacity)) {
    if (!isPositive(amount)) errors.push(invalid(path.key(name), amount, 'must be greater than 0'));
  }
}

/** Whether an amount is more than nothing. */
export function isPositive(amount: unknown): boolean {
  const quantity = typeof amount === 'string' ? parseQuantity(amount) : undefined;
  return quantity === undefined || compareQuantities(quantity, ZERO_QUANTITY) > 0;
}

function checkPolicies(spec: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const policy = textAt(spec, 'persistentVolumeReclaimPolicy');
  const path = at.child('persistentVolumeReclaimPolicy');
  if (policy !== '' && !RECLAIM_POLICIES.includes(policy))
    errors.push(notSupported(path, policy, RECLAIM_POLICIES));
  const host = objectAt(spec, 'hostPath');
  if (policy === 'Recycle' && host !== undefined && isRoot(textAt(host, 'path')))
    errors.push(forbidden(path, 'the root of a host is not to be emptied'));
  const { volumeMode, nodeAffinity } = spec;
  if (typeof volumeMode === 'string' && !VOLUME_MODES.includes(volumeMode))
    errors.push(notSupported(at.child('volumeMode'), volumeMode, VOLUME_MODES));
  const storageClass = textAt(spec, 'storageClassName');
  if (storageClass !== '')
    addProblems(errors, at.child('storageClassName'), storageClass, dnsSubdomainProblems(storageClass));
  const affinity = at.child('nodeAffinity');
  if (nodeAffinity == null) {
    if (isLocal(spec)) errors.push(required(affinity, 'a local volume is on one node'));
  } else if (objectAt(objectAt(spec, 'nodeAffinity'), 'required') === undefined) {
    errors.push(required(affinity.child('required')));
  }
}

/** Whether the volume's only source, or the first of several, is a disk of one node. */
function isLocal(spec: JsonObject): boolean {
  return SOURCES.find((source) => objectAt(spec, source) !== undefined) === 'local';
}

function isRoot(path: string): boolean {
  return path !== '' && posix.resolve('/', path) === '/' && path.startsWith('/');
}

/** Volumes that are described where they are attached: CSI alone, and nothing about claims. */
export const attachmentSource: TypeCheck = (source, at, { errors }) => {
  const inline = objectAt(source, 'inlineVolumeSpec');
  const name = source['persistentVolumeName'];
  if (inline === undefined && typeof name !== 'string')
    errors.push(required(at, 'must have persistentVolumeName or inlineVolumeSpec'));
  else if (inline !== undefined && typeof name === 'string')
    errors.push(forbidden(at, 'may not have both persistentVolumeName and inlineVolumeSpec'));
  else if (inline === undefined) {
    if (name === '') errors.push(required(at.child('persistentVolumeName')));
  } else checkInlineSpec(inline, at.child('inlineVolumeSpec'), errors);
};

const WHY_NOT_INLINE = 'may not be set for a volume that is only attached';

function checkInlineSpec(spec: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const forbid = (field: string): void => void errors.push(forbidden(at.child(field), WHY_NOT_INLINE));
  if (objectAt(spec, 'claimRef') !== undefined) forbid('claimRef');
  if (sizeOf(spec['capacity']) > 0) forbid('capacity');
  if (objectAt(spec, 'csi') === undefined) errors.push(required(at.child('csi')));
  checkAccessModes(spec, at, errors);
  const policy = textAt(spec, 'persistentVolumeReclaimPolicy');
  if (policy !== '' && policy !== 'Retain') forbid('persistentVolumeReclaimPolicy');
  if (objectAt(spec, 'nodeAffinity') !== undefined) forbid('nodeAffinity');
  // Without a source, the missing csi is told of twice.
  checkOneSource(spec, at, errors);
  if (textAt(spec, 'storageClassName') !== '') forbid('storageClassName');
  const mode = spec['volumeMode'];
  if (typeof mode === 'string' && mode !== 'Filesystem') forbid('volumeMode');
}
