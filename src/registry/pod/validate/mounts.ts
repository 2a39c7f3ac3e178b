import {
  forbidden,
  invalid,
  notFound,
  notSupported,
  required,
  type FieldError,
} from '../../../errors/field-error.ts';
import type { FieldPath } from '../../../errors/field-path.ts';
import { objectAt, textAt } from '../../../meta/fields.ts';
import type { JsonObject } from '../../../meta/object.ts';
import { FORMATS } from '../../../schema/rules/formats.ts';
import { itemsOf } from './container-lists.ts';

/** Volumes that can be mounted, by name: those with nothing wrong about them. */
export type Volumes = ReadonlyMap<string, JsonObject>;

const PROPAGATIONS = ['Bidirectional', 'HostToContainer', 'None'];
const RECURSIVE = ['Disabled', 'Enabled', 'IfPossible'];

/** The volumes of a pod that others may name. @param at of the pod's spec. @param errors those found so far. */
export function usableVolumes(spec: JsonObject, at: FieldPath, errors: readonly FieldError[]): Volumes {
  const usable = new Map<string, JsonObject>();
  const wrong = wrongItems(at.child('volumes'), errors);
  itemsOf(spec['volumes']).forEach((volume, i) => {
    const name = textAt(volume, 'name');
    if (!usable.has(name) && !wrong.has(i)) usable.set(name, volume);
  });
  return usable;
}

const NONE: ReadonlySet<number> = new Set();

/** The indices of a list's items that errors are about. */
function wrongItems(list: FieldPath, errors: readonly FieldError[]): ReadonlySet<number> {
  if (errors.length === 0) return NONE;
  const prefix = `${String(list)}[`;
  const wrong = new Set<number>();
  for (const { field } of errors)
    if (field.startsWith(prefix)) wrong.add(Number.parseInt(field.slice(prefix.length), 10));
  return wrong;
}

/** Mounts and devices name volumes, and none is in two places. @param at of the container. */
export function checkMounts(
  container: JsonObject,
  at: FieldPath,
  volumes: Volumes,
  errors: FieldError[],
): void {
  const mounts = itemsOf(container['volumeMounts']);
  const devices = itemsOf(container['volumeDevices']);
  if (mounts.length === 0 && devices.length === 0) return;
  checkVolumeMounts({ container, mounts, devices, volumes }, at.child('volumeMounts'), errors);
  if (devices.length > 0) checkDevices({ mounts, devices, volumes }, at.child('volumeDevices'), errors);
}

interface Uses {
  readonly mounts: readonly JsonObject[];
  readonly devices: readonly JsonObject[];
  readonly volumes: Volumes;
}

function checkVolumeMounts(
  { container, mounts, devices, volumes }: Uses & { readonly container: JsonObject },
  at: FieldPath,
  errors: FieldError[],
): void {
  const deviceNames = new Set(devices.map((device) => textAt(device, 'name')));
  const devicePaths = new Set(devices.map((device) => textAt(device, 'devicePath')));
  const paths = new Set<string>();
  mounts.forEach((mount, i) => {
    const name = textAt(mount, 'name');
    const path = textAt(mount, 'mountPath');
    const volume = volumes.get(name);
    if (volume === undefined) errors.push(notFound(at.index(i).child('name'), name));
    if (paths.has(path)) errors.push(invalid(at.index(i).child('mountPath'), path, 'must be unique'));
    paths.add(path);
    if (deviceNames.has(name))
      errors.push(invalid(at.index(i).child('name'), name, 'is a volume device already'));
    if (devicePaths.has(path))
      errors.push(invalid(at.index(i).child('mountPath'), path, 'is the path of a volume device already'));
    if (mount['subPath'] != null || mount['subPathExpr'] != null)
      checkSubPaths({ mount, isImage: objectAt(volume, 'image') !== undefined }, at, i, errors);
    if (mount['mountPropagation'] != null) checkPropagation(mount, container, at, errors);
    if (mount['recursiveReadOnly'] != null) checkRecursive(mount, at.child('recursiveReadOnly'), errors);
  });
}

/** Wrong paths are told at the list, without the mount's index: that is where the reference has them. */
function checkSubPaths(
  { mount, isImage }: { readonly mount: JsonObject; readonly isImage: boolean },
  at: FieldPath,
  i: number,
  errors: FieldError[],
): void {
  for (const name of ['subPath', 'subPathExpr']) {
    const path = textAt(mount, name);
    if (path === '') continue;
    if (isImage)
      errors.push(invalid(at.index(i).child(name), path, 'may not be set for volumes that are images'));
    for (const problem of FORMATS.relativePath(path)) errors.push(invalid(at.child(name), path, problem));
  }
  if (textAt(mount, 'subPath') !== '' && textAt(mount, 'subPathExpr') !== '') {
    const rule = 'may not be set together with subPath';
    errors.push(invalid(at.index(i).child('subPathExpr'), mount['subPathExpr'], rule));
  }
}

function checkPropagation(
  mount: JsonObject,
  container: JsonObject,
  at: FieldPath,
  errors: FieldError[],
): void {
  const propagation = textAt(mount, 'mountPropagation');
  const path = at.child('mountPropagation');
  if (!PROPAGATIONS.includes(propagation)) errors.push(notSupported(path, propagation, PROPAGATIONS));
  const isPrivileged = objectAt(container, 'securityContext')?.['privileged'] === true;
  if (propagation === 'Bidirectional' && !isPrivileged)
    errors.push(forbidden(path, 'Bidirectional is for privileged containers only'));
}

function checkRecursive(mount: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const recursive = textAt(mount, 'recursiveReadOnly');
  if (!RECURSIVE.includes(recursive)) errors.push(notSupported(at, recursive, RECURSIVE));
  else if (recursive !== 'Disabled') {
    const propagation = mount['mountPropagation'] ?? 'None';
    if (mount['readOnly'] !== true) errors.push(forbidden(at, 'may only be set where readOnly is true'));
    if (propagation !== 'None') errors.push(forbidden(at, 'may only be set where mountPropagation is None'));
  }
}

function checkDevices({ mounts, devices, volumes }: Uses, at: FieldPath, errors: FieldError[]): void {
  const mountNames = new Set(mounts.map((mount) => textAt(mount, 'name')));
  const mountPaths = new Set(mounts.map((mount) => textAt(mount, 'mountPath')));
  const names = new Set<string>();
  const paths = new Set<string>();
  devices.forEach((device, i) => {
    const name = textAt(device, 'name');
    const path = textAt(device, 'devicePath');
    const volume = volumes.get(name);
    const wrongName = (rule: string): unknown => errors.push(invalid(at.index(i).child('name'), name, rule));
    const wrongPath = (rule: string): unknown =>
      errors.push(invalid(at.index(i).child('devicePath'), path, rule));
    if (name === '') errors.push(required(at.index(i).child('name')));
    if (names.has(name)) wrongName('must be unique');
    if (volume === undefined) errors.push(notFound(at.index(i).child('name'), name));
    else if (!isClaim(volume)) wrongName('must be a volume of a claim');
    if (path === '') errors.push(required(at.index(i).child('devicePath')));
    if (paths.has(path)) wrongPath('must be unique');
    if (FORMATS.pathWithoutSteps(path).length > 0) wrongPath("must not contain '..'");
    else paths.add(path);
    if (mountNames.has(name)) wrongName('is mounted already');
    if (mountPaths.has(path)) wrongPath('is the path of a mount already');
    if (name !== '') names.add(name);
  });
}

function isClaim(volume: JsonObject): boolean {
  return volume['persistentVolumeClaim'] != null || volume['ephemeral'] != null;
}
