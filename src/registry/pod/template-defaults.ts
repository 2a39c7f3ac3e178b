import type { JsonObject } from '../../meta/object.ts';
import { isObject, objectAt, objectsAt, textAt } from '../../meta/fields.ts';

const CONTAINER_LISTS = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** Defaults of a pod's spec that depend on its other fields, wherever pod specs stand. */
export function defaultPodSpec(spec: JsonObject | undefined): void {
  if (spec === undefined) return;
  copyServiceAccount(spec);
  for (const list of CONTAINER_LISTS)
    for (const container of objectsAt(spec, list)) defaultPullPolicy(container);
  for (const volume of objectsAt(spec, 'volumes')) defaultVolume(volume);
}

/** Defaults of the pod template in a spec. */
export function defaultPodTemplate(spec: JsonObject | undefined): void {
  defaultPodSpec(objectAt(objectAt(spec, 'template'), 'spec'));
}

/** The service account has an older name, which clients may send and always read. */
function copyServiceAccount(spec: JsonObject): void {
  const name = textAt(spec, 'serviceAccountName') || textAt(spec, 'serviceAccount');
  if (name === '') return;
  spec.serviceAccountName = name;
  spec.serviceAccount = name;
}

function defaultPullPolicy(container: JsonObject): void {
  if (textAt(container, 'imagePullPolicy') !== '') return;
  container.imagePullPolicy = pullPolicy(textAt(container, 'image'));
}

/** An image that can change under its name (no tag, or `latest`) is pulled always. */
function pullPolicy(image: string): string {
  return imageTag(image) === 'latest' ? 'Always' : 'IfNotPresent';
}

/**
 * The tag of an image reference `[host[:port]/]path[:tag][@digest]`: `latest` where neither tag nor digest is given;
 * '' for a digest alone and for what is no reference.
 */
export function imageTag(image: string): string {
  if (!IMAGE.test(image) || BARE_DIGEST.test(image)) return '';
  const at = image.indexOf('@');
  const named = at < 0 ? image : image.slice(0, at);
  const colon = named.indexOf(':', named.lastIndexOf('/') + 1);
  if (pathLength(colon < 0 ? named : named.slice(0, colon)) > LONGEST_PATH) return '';
  if (colon >= 0) return named.slice(colon + 1);
  return at < 0 ? 'latest' : '';
}

/** Of a name's path: the registry before it doesn't count, the directory that the default registry puts it in does. */
const LONGEST_PATH = 255;
const DEFAULT_REGISTRIES = ['docker.io', 'index.docker.io'];
const DEFAULT_DIRECTORY = 'library/';

/** How long the path of an image in its registry is. @param name without tag and digest. */
function pathLength(name: string): number {
  const slash = name.indexOf('/');
  const first = name.slice(0, Math.max(slash, 0));
  const path = isRegistry(first) ? name.slice(slash + 1) : name;
  const isInDefault = path === name || DEFAULT_REGISTRIES.includes(first);
  return path.length + (isInDefault && !path.includes('/') ? DEFAULT_DIRECTORY.length : 0);
}

/** Whether the first segment of several is the host of a registry, and no directory: those are in lower case and have no port. */
function isRegistry(segment: string): boolean {
  return segment === 'localhost' || /[.:A-Z]/.test(segment);
}

const HOST = String.raw`[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?`;
const REGISTRY = String.raw`(?:${HOST}(?:\.${HOST})*|\[[0-9A-Fa-f:]+\])(?::[0-9]+)?`;
const PATH = String.raw`[a-z0-9]+(?:(?:[._/]|__|-+)[a-z0-9]+)*`;
const TAG = String.raw`\w[\w.-]{0,127}`;
const DIGEST = String.raw`[A-Za-z][A-Za-z0-9+._-]*:[0-9a-fA-F]{32,}`;
const IMAGE = new RegExp(`^(?:${REGISTRY}/)?${PATH}(?::${TAG})?(?:@${DIGEST})?$`);
/** A digest without its algorithm is no name. */
const BARE_DIGEST = /^[0-9a-f]{64}$/;

/** A volume without a source is an empty directory. */
function defaultVolume(volume: JsonObject): void {
  const image = objectAt(volume, 'image');
  if (image !== undefined && textAt(image, 'pullPolicy') === '')
    image.pullPolicy = pullPolicy(textAt(image, 'reference'));
  const hasSource = Object.keys(volume).some((field) => field !== 'name' && isObject(volume[field]));
  if (!hasSource) volume.emptyDir = {};
}

/** The parameters of an update strategy that rolls. */
export function defaultRollingUpdate(strategy: JsonObject | undefined, defaults: JsonObject): void {
  if (strategy?.type !== 'RollingUpdate') return;
  strategy.rollingUpdate = { ...defaults, ...objectAt(strategy, 'rollingUpdate') };
}
