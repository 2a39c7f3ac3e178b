import { objectAt, objectsAt, textAt } from '../../../meta/fields.ts';
import type { JsonObject } from '../../../meta/object.ts';

/** A file in a volume. */
interface File {
  readonly path: string;
  /** What it comes from, in volumes with several sources. */
  readonly source: string;
}

/** Volumes in which one file would be another's folder, or take its place. */
export function pathWarnings(spec: JsonObject): string[] {
  const found: string[] = [];
  for (const volume of objectsAt(spec, 'volumes')) warnOf(volume, found);
  return found;
}

function warnOf(volume: JsonObject, found: string[]): void {
  const name = textAt(volume, 'name');
  const warn = (kind: string, files: readonly File[]): void => {
    for (const overlap of overlaps(files))
      found.push(`volume "${name}" (${kind}): overlapping paths: ${overlap}`);
  };
  const configMap = objectAt(volume, 'configMap');
  if (configMap !== undefined) warn(`ConfigMap "${textAt(configMap, 'name')}"`, filesOf(configMap));
  const secret = objectAt(volume, 'secret');
  if (secret !== undefined) warn(`Secret "${textAt(secret, 'secretName')}"`, filesOf(secret));
  const downward = objectAt(volume, 'downwardAPI');
  if (downward !== undefined) warn('DownwardAPI', filesOf(downward));
  const projected = objectAt(volume, 'projected');
  if (projected === undefined) return;
  found.push(...emptySources(volume, name));
  warn('Projected', objectsAt(projected, 'sources').flatMap(projectedFiles));
}

function emptySources(volume: JsonObject, name: string): string[] {
  return objectsAt(objectAt(volume, 'projected'), 'sources')
    .filter((source) => Object.values(source).every((value) => value == null))
    .map(() => `volume "${name}" (Projected) has no sources provided`);
}

function projectedFiles(source: JsonObject): File[] {
  const token = objectAt(source, 'serviceAccountToken');
  const bundle = objectAt(source, 'clusterTrustBundle');
  const files = (field: string, kind: string): File[] => {
    const part = objectAt(source, field);
    return filesOf(part, kind === 'DownwardAPI' ? kind : `${kind} "${textAt(part, 'name')}"`);
  };
  return [
    ...files('configMap', 'ConfigMap'),
    ...files('secret', 'Secret'),
    ...files('downwardAPI', 'DownwardAPI'),
    ...(token === undefined ? [] : [{ path: textAt(token, 'path'), source: 'ServiceAccountToken' }]),
    ...(bundle === undefined
      ? []
      : [
          {
            path: textAt(bundle, 'path'),
            source: `ClusterTrustBundle "${textAt(bundle, 'name') || textAt(bundle, 'signerName')}"`,
          },
        ]),
  ];
}

function filesOf(part: JsonObject | undefined, source = ''): File[] {
  return objectsAt(part, 'items').map((item) => ({ path: textAt(item, 'path'), source }));
}

function overlaps(files: readonly File[]): string[] {
  const found: string[] = [];
  const seen: File[] = [];
  for (const file of files) {
    const path = file.path.replace(/\/+$/, '');
    if (path === '') continue;
    for (const other of seen) {
      const clash =
        path === other.path || path.startsWith(`${other.path}/`) || other.path.startsWith(`${path}/`);
      if (clash) found.push(`${told({ ...file, path })} with ${told(other)}`);
    }
    seen.push({ ...file, path });
  }
  return found;
}

function told({ path, source }: File): string {
  return source === '' ? `"${path}"` : `"${path}" (${source})`;
}
