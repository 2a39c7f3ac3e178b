import { objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import { generateName } from '../../meta/generate-name.ts';
import type { JsonObject } from '../../meta/object.ts';

/** Volumes of this kind have names that begin so. */
const PREFIX = 'kube-api-access-';

/**
 * How long the token that is asked for lasts, seconds: an hour, and a little that tells such tokens from those that
 * somebody asked for by hand.
 */
const TOKEN_SECONDS = 3607;
/** Everybody may read the files: 0644. */
const MODE = 420;

export interface TokenPlace {
  /** Where containers find the files. */
  readonly path: string;
  /** The ConfigMap with the authority of the API server. */
  readonly rootCa: string;
}

/** Mounts a volume with a token, the authority of the server and the namespace into each container of a pod's spec. */
export type MountToken = (spec: JsonObject) => void;

/** Containers that have something else at the path are left alone. */
export function tokenMounts({ path, rootCa }: TokenPlace, random: () => number): MountToken {
  return function mountToken(spec) {
    const volumes = objectsAt(spec, 'volumes');
    const present = volumes.find((volume) => textAt(volume, 'name').startsWith(PREFIX));
    const name = textAt(present, 'name') || generateName(PREFIX, random);
    let mounted = false;
    for (const container of [...objectsAt(spec, 'initContainers'), ...objectsAt(spec, 'containers')]) {
      const mounts = objectsAt(container, 'volumeMounts');
      if (mounts.some(({ mountPath }) => mountPath === path)) continue;
      container['volumeMounts'] = [...mounts, { name, readOnly: true, mountPath: path }];
      mounted = true;
    }
    if (mounted && present === undefined) spec['volumes'] = [...volumes, tokenVolume(name, rootCa)];
  };
}

/** Whether a pod's spec has a volume with a token. */
export function hasTokenVolume(spec: JsonObject): boolean {
  return objectsAt(spec, 'volumes').some((volume) =>
    objectsAt(objectAt(volume, 'projected'), 'sources').some(
      (source) => objectAt(source, 'serviceAccountToken') !== undefined,
    ),
  );
}

function tokenVolume(name: string, rootCa: string): JsonObject {
  const namespace = { apiVersion: 'v1', fieldPath: 'metadata.namespace' };
  return {
    name,
    projected: {
      sources: [
        { serviceAccountToken: { expirationSeconds: TOKEN_SECONDS, path: 'token' } },
        { configMap: { name: rootCa, items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        { downwardAPI: { items: [{ path: 'namespace', fieldRef: namespace }] } },
      ],
      defaultMode: MODE,
    },
  };
}
