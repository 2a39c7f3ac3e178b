import { isObject, type Json } from '../../../../meta/object.ts';
import { goText } from '../../print/go-text.ts';
import type { Description } from '../description.ts';
import type { Claim, JsonObject, Pairs, Volume } from '../objects.ts';
import type { World } from '../world.ts';
import { writeClaim } from './claim.ts';
import { LONGEST_LINE } from './metadata.ts';
import { PERSISTENT_VOLUMES, POD_VOLUMES, type SourceForm, type VolumeSource } from './volume-sources.ts';

/** The volumes of a pod or a template. @param inTemplate where they stand a little further in. */
export function writeVolumes(
  page: Description,
  volumes: readonly Volume[] = [],
  { world, inTemplate }: { readonly world: World; readonly inTemplate: boolean },
): void {
  const [space, inset] = inTemplate ? ['  ', ' '] : ['', ''];
  if (volumes.length === 0) return page.row(`${space}Volumes`, '<none>');
  page.line(`${space}Volumes:`);
  for (const volume of volumes) {
    page.line(`${inset}${volume.name ?? ''}:`, 1);
    writeSource(page, volume, { sources: POD_VOLUMES, world });
  }
}

/** What a persistent volume is made of. */
export function writePersistentSource(page: Description, spec: JsonObject, world: World): void {
  writeSource(page, spec, { sources: PERSISTENT_VOLUMES, world });
}

interface SourceOptions {
  readonly sources: Readonly<Record<string, VolumeSource>>;
  readonly world: World;
}

function writeSource(page: Description, holder: JsonObject, { sources, world }: SourceOptions): void {
  const field = Object.keys(holder).find((name) => Object.hasOwn(sources, name) && isObject(holder[name]));
  if (field === undefined) return page.line('<unknown>', 1);
  const { title, rows, more } = sources[field] as VolumeSource;
  const source = holder[field] as JsonObject;
  page.row('Type', title, 2);
  for (const row of rows) page.line(`${row.label}\t${formText(valueAt(source, row.field), row.form)}`, 2);
  switch (more) {
    case undefined:
      return;
    case 'items':
      return writeItems(page, source);
    case 'projections':
      return writeProjections(page, source);
    case 'attributes':
      return writeAttributes(page, (source['volumeAttributes'] ?? {}) as Pairs);
    case 'claim':
      return writeTemplate(page, source['volumeClaimTemplate'] as Claim | undefined, world);
  }
}

function valueAt(source: JsonObject, path: string): Json | undefined {
  let value: Json | undefined = source;
  for (const field of path.split('.')) value = isObject(value) ? value[field] : undefined;
  return value;
}

function formText(value: Json | undefined, form: SourceForm): string {
  const list = Array.isArray(value) ? value : [];
  const { name, namespace } = (isObject(value) ? value : {}) as Pairs;
  switch (form) {
    case 'text':
      return value === undefined ? '' : goText(value);
    case 'number':
      return value === undefined ? '0' : goText(value);
    case 'switch':
      return String(value === true);
    case 'some':
      return value === undefined ? '<none>' : goText(value);
    case 'set':
      return value === undefined || value === '0' ? '<unset>' : goText(value);
    case 'joined':
      return list.map(goText).join(', ');
    case 'list':
      return goText(list);
    case 'map':
      return goText(isObject(value) ? value : {});
    case 'secret':
      return value === undefined ? 'nil' : `&LocalObjectReference{Name:${name ?? ''},}`;
    case 'spaced-secret':
      return value === undefined
        ? 'nil'
        : `&SecretReference{Name:${name ?? ''},Namespace:${namespace ?? ''},}`;
  }
}

interface DownwardSource {
  readonly items?: readonly {
    readonly path?: string;
    readonly fieldRef?: { readonly fieldPath?: string };
    readonly resourceFieldRef?: { readonly resource?: string };
  }[];
}

function writeItems(page: Description, { items = [] }: DownwardSource): void {
  page.line('Items:', 2);
  for (const { path = '', fieldRef, resourceFieldRef } of items) {
    if (fieldRef !== undefined) page.line(`${fieldRef.fieldPath ?? ''} -> ${path}`, 3);
    if (resourceFieldRef !== undefined) page.line(`${resourceFieldRef.resource ?? ''} -> ${path}`, 3);
  }
}

interface Optional {
  readonly name?: string;
  readonly optional?: boolean;
}

interface ProjectedSource {
  readonly sources?: readonly {
    readonly secret?: Optional;
    readonly downwardAPI?: object;
    readonly configMap?: Optional;
    readonly serviceAccountToken?: { readonly expirationSeconds?: number };
  }[];
}

function writeProjections(page: Description, { sources = [] }: ProjectedSource): void {
  for (const { secret, downwardAPI, configMap, serviceAccountToken } of sources) {
    if (secret !== undefined) {
      page.row('SecretName', secret.name ?? '', 2);
      page.row('SecretOptionalName', String(secret.optional ?? '<nil>'), 2);
    } else if (downwardAPI !== undefined) page.row('DownwardAPI', true, 2);
    else if (configMap !== undefined) {
      page.row('ConfigMapName', configMap.name ?? '', 2);
      page.row('ConfigMapOptional', String(configMap.optional ?? '<nil>'), 2);
    } else if (serviceAccountToken !== undefined) {
      page.row('TokenExpirationSeconds', serviceAccountToken.expirationSeconds ?? 0, 2);
    }
  }
}

function writeAttributes(page: Description, attributes: Pairs): void {
  page.text('VolumeAttributes:\t', 2);
  const names = Object.keys(attributes).sort();
  if (names.length === 0) return page.end('<none>');
  for (const [i, name] of names.entries()) {
    // As kubectl has it: the indentation stands twice before every line but the first, and once before the text.
    if (i > 0) page.text('        \t');
    const line = `${name}=${attributes[name]}`;
    page.line(line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}...` : line, 2);
  }
}

function writeTemplate(page: Description, template: Claim | undefined, world: World): void {
  if (template !== undefined) writeClaim(page.nested(2), template, { world, whole: false });
}
