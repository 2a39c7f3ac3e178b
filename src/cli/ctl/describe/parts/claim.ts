import type { Description } from '../description.ts';
import type { Claim, Pairs } from '../objects.ts';
import { since } from '../times.ts';
import type { World } from '../world.ts';
import { writeLabels, writePairs } from './metadata.ts';

/** Short names of access modes, in the order in which they are shown. */
const ACCESS_MODES: readonly (readonly [string, string])[] = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
];

/** A claim of a volume. @param whole or the template of one, which has no name and no state. */
export function writeClaim(
  page: Description,
  { metadata, spec = {}, status = {} }: Claim,
  { world, whole }: { readonly world: World; readonly whole: boolean },
): void {
  const { metadata: meta = {} } = { metadata };
  if (whole) {
    page.row('Name', meta.name ?? '');
    page.row('Namespace', meta.namespace ?? '');
  }
  page.row('StorageClass', storageClassOf(meta.annotations, spec.storageClassName, world));
  if (whole) page.row('Status', lifeText(meta.deletionTimestamp, status.phase, world));
  page.row('Volume', spec.volumeName ?? '');
  writeLabels(page, meta, world);
  if (whole) page.row('Finalizers', `[${(meta.finalizers ?? []).join(' ')}]`);
  const bound = (spec.volumeName ?? '') !== '';
  page.row('Capacity', bound ? (status.capacity?.['storage'] ?? '0') : '');
  page.row('Access Modes', bound ? accessModeText(status.accessModes) : '');
  if (spec.volumeMode !== undefined) page.row('VolumeMode', spec.volumeMode);
  if (spec.dataSource === undefined) return;
  const { apiGroup, kind = '', name = '' } = spec.dataSource;
  page.line('DataSource:');
  if (apiGroup) page.row('APIGroup', apiGroup, 1);
  page.row('Kind', kind, 1);
  page.row('Name', name, 1);
}

/** The claims that a set makes for each of its pods. */
export function writeClaimTemplates(page: Description, templates: readonly Claim[] = [], world: World): void {
  if (templates.length === 0) return page.row('Volume Claims', '<none>');
  page.line('Volume Claims:');
  for (const { metadata: meta, spec = {} } of templates) {
    page.row('Name', meta.name ?? '', 1);
    page.row('StorageClass', storageClassOf(meta.annotations, spec.storageClassName, world), 1);
    writePairs(page, 'Labels', meta.labels, 1);
    writePairs(page, 'Annotations', meta.annotations, 1);
    page.row('Capacity', spec.resources?.requests?.['storage'] ?? '<default>', 1);
    page.row('Access Modes', `[${(spec.accessModes ?? []).join(' ')}]`, 1);
  }
}

/** The class that an annotation of old, or the spec, names. */
export function storageClassOf(annotations: Pairs = {}, name: string | undefined, { names }: World): string {
  return annotations[names.get('storage.class-beta')] ?? name ?? '';
}

/** What state something is in that goes when it is no longer used. */
export function lifeText(
  deleted: string | null | undefined,
  phase: string | undefined,
  { now }: World,
): string {
  return deleted ? `Terminating (lasts ${since(deleted, now)})` : (phase ?? '');
}

export function accessModeText(modes: readonly string[] = []): string {
  return ACCESS_MODES.filter(([mode]) => modes.includes(mode))
    .map(([, short]) => short)
    .join(',');
}
