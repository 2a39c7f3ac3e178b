import { objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import type { Reference, ReferredType } from './graph.ts';

/** Where each source of a volume names its secret: the field, and the one in it where it is a reference. */
const VOLUME_SECRETS: readonly (readonly [source: string, field: string, inner?: string])[] = [
  ['azureFile', 'secretName'],
  ['cephfs', 'secretRef', 'name'],
  ['cinder', 'secretRef', 'name'],
  ['csi', 'nodePublishSecretRef', 'name'],
  ['flexVolume', 'secretRef', 'name'],
  ['iscsi', 'secretRef', 'name'],
  ['rbd', 'secretRef', 'name'],
  ['scaleIO', 'secretRef', 'name'],
  ['secret', 'secretName'],
  ['storageos', 'secretRef', 'name'],
];

const CONTAINERS = ['initContainers', 'containers', 'ephemeralContainers'];

/**
 * The objects of its namespace that a pod needs, each once.
 *
 * @param mirror the annotation of pods that stand for those which a node runs by itself: they may refer to nothing, since
 * the node makes them.
 */
export function podReferences(pod: ApiObject, mirror: string): Reference[] {
  if (pod.metadata.annotations?.[mirror] !== undefined) return [];
  const found = new References(pod.metadata.namespace ?? '');
  const spec = objectAt(pod, 'spec');
  found.add('serviceAccount', textAt(spec, 'serviceAccountName'));
  for (const secret of objectsAt(spec, 'imagePullSecrets')) found.add('secret', textAt(secret, 'name'));
  for (const list of CONTAINERS) {
    for (const container of objectsAt(spec, list)) addEnvironment(found, container);
  }
  for (const volume of objectsAt(spec, 'volumes')) addVolume(found, volume, pod.metadata.name ?? '');
  for (const claim of objectsAt(spec, 'resourceClaims')) found.add('resourceClaim', claimName(claim, pod));
  return found.all;
}

/** Whether what a pod refers to depends on its status. */
export function hasClaimTemplates(pod: ApiObject): boolean {
  return objectsAt(objectAt(pod, 'spec'), 'resourceClaims').some(
    (claim) => textAt(claim, 'resourceClaimTemplateName') !== '',
  );
}

class References {
  readonly all: Reference[] = [];
  readonly #namespace: string;
  readonly #seen = new Set<string>();

  constructor(namespace: string) {
    this.#namespace = namespace;
  }

  add(type: ReferredType, name: string): void {
    const key = `${type}/${name}`;
    if (name === '' || this.#seen.has(key)) return;
    this.#seen.add(key);
    this.all.push({ type, namespace: this.#namespace, name });
  }
}

function addEnvironment(found: References, container: JsonObject): void {
  for (const from of objectsAt(container, 'envFrom')) {
    found.add('secret', textAt(objectAt(from, 'secretRef'), 'name'));
    found.add('configMap', textAt(objectAt(from, 'configMapRef'), 'name'));
  }
  for (const variable of objectsAt(container, 'env')) {
    const from = objectAt(variable, 'valueFrom');
    found.add('secret', textAt(objectAt(from, 'secretKeyRef'), 'name'));
    found.add('configMap', textAt(objectAt(from, 'configMapKeyRef'), 'name'));
  }
}

function addVolume(found: References, volume: JsonObject, pod: string): void {
  for (const [source, field, inner] of VOLUME_SECRETS) {
    const from = objectAt(volume, source);
    found.add('secret', inner === undefined ? textAt(from, field) : textAt(objectAt(from, field), inner));
  }
  found.add('configMap', textAt(objectAt(volume, 'configMap'), 'name'));
  for (const source of objectsAt(objectAt(volume, 'projected'), 'sources')) {
    found.add('secret', textAt(objectAt(source, 'secret'), 'name'));
    found.add('configMap', textAt(objectAt(source, 'configMap'), 'name'));
  }
  found.add('claim', textAt(objectAt(volume, 'persistentVolumeClaim'), 'claimName'));
  // The claim of an ephemeral volume is made for the pod, under this name.
  if (objectAt(volume, 'ephemeral') !== undefined) found.add('claim', `${pod}-${textAt(volume, 'name')}`);
}

/** The claim that a pod's entry stands for; '' while it hasn't been made. */
function claimName(claim: JsonObject, pod: ApiObject): string {
  const given = textAt(claim, 'resourceClaimName');
  if (given !== '') return given;
  const made = objectsAt(objectAt(pod, 'status'), 'resourceClaimStatuses');
  return textAt(
    made.find((status) => textAt(status, 'name') === textAt(claim, 'name')),
    'resourceClaimName',
  );
}
