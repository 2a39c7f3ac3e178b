import type { Description, Level } from '../description.ts';
import type { Metadata, Pairs } from '../objects.ts';
import type { World } from '../world.ts';

/** Characters of an annotation, with its name, that are shown on one line. */
export const LONGEST_LINE = 140;

/** `title:` and a line for each entry, in order of their names. */
export function writePairs(page: Description, title: string, pairs: Pairs = {}, level: Level = 0): void {
  writeValues(
    page,
    title,
    Object.keys(pairs)
      .sort()
      .map((name) => `${name}=${pairs[name]}`),
    level,
  );
}

/** `title:` and a line for each value. */
export function writeValues(
  page: Description,
  title: string,
  values: readonly string[],
  level: Level = 0,
): void {
  page.text(`${title}:\t`, level);
  if (values.length === 0) return page.end('<none>');
  for (const [i, value] of values.entries()) {
    if (i > 0) page.text('\t', level);
    page.text(`${value}\n`);
  }
}

/** Annotations without what only programs read; long ones below their names, and shortened. */
export function writeAnnotations(
  page: Description,
  title: string,
  annotations: Pairs = {},
  { names }: Pick<World, 'names'>,
): void {
  const skipped = names.get('annotation.last-applied-configuration');
  page.text(`${title}:\t`);
  const shown = Object.keys(annotations)
    .filter((name) => name !== skipped)
    .sort();
  if (shown.length === 0) return page.end('<none>');
  for (const [i, name] of shown.entries()) {
    if (i > 0) page.text('\t');
    const value = (annotations[name] ?? '').replace(/\n$/, '');
    if (Buffer.byteLength(name) + Buffer.byteLength(value) + 2 <= LONGEST_LINE && !value.includes('\n')) {
      page.line(`${name}: ${value}`);
      continue;
    }
    page.line(`${name}:`);
    for (const line of value.split('\n')) page.line(`\t  ${shorten(line, LONGEST_LINE - 2)}`);
  }
}

export interface HeadRows {
  readonly namespace?: boolean;
}

/** Name, namespace, labels and annotations, as most descriptions begin. */
export function writeHead(
  page: Description,
  metadata: Metadata,
  world: World,
  { namespace = true }: HeadRows = {},
): void {
  page.row('Name', metadata.name ?? '');
  if (namespace) page.row('Namespace', metadata.namespace ?? '');
  writeLabels(page, metadata, world);
}

/** Labels and annotations. */
export function writeLabels(page: Description, { labels, annotations }: Metadata, world: World): void {
  writePairs(page, 'Labels', labels);
  writeAnnotations(page, 'Annotations', annotations, world);
}

/** `Kind/name` of what controls an object. */
export function controllerOf({ ownerReferences = [] }: Metadata): string | undefined {
  const owner = ownerReferences.find(({ controller }) => controller === true);
  return owner === undefined ? undefined : `${owner.kind ?? ''}/${owner.name ?? ''}`;
}

/** Labels on one line. */
export function labelText(labels: Pairs = {}): string {
  const pairs = Object.keys(labels)
    .sort()
    .map((name) => `${name}=${labels[name]}`);
  return pairs.length === 0 ? '<none>' : pairs.join(',');
}

/** @param length in bytes. */
export function shorten(text: string, length: number): string {
  const bytes = Buffer.from(text);
  return bytes.length > length ? `${bytes.subarray(0, length).toString()}...` : text;
}
