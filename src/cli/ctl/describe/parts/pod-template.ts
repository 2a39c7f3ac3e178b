import type { Description } from '../description.ts';
import type { PodTemplate, SpreadConstraint, Toleration } from '../objects.ts';
import type { World } from '../world.ts';
import { writeContainers } from './containers.ts';
import { writeAnnotations, writePairs, writeValues } from './metadata.ts';
import { selectorOrNone } from './selector.ts';
import { writeVolumes } from './volumes.ts';

/** What the pods of something are made of. */
export function writePodTemplate(page: Description, template: PodTemplate | undefined, world: World): void {
  page.line('Pod Template:');
  if (template === undefined) return page.text('<unset>', 1);
  const { metadata = {}, spec = {} } = template;
  writePairs(page, '  Labels', metadata.labels);
  if (Object.keys(metadata.annotations ?? {}).length > 0)
    writeAnnotations(page, '  Annotations', metadata.annotations, world);
  if (spec.serviceAccountName) page.row('Service Account', spec.serviceAccountName, 1);
  if ((spec.initContainers ?? []).length > 0)
    writeContainers(page, 'Init Containers', { containers: spec.initContainers });
  writeContainers(page, 'Containers', { containers: spec.containers });
  writeVolumes(page, spec.volumes, { world, inTemplate: true });
  writeSpread(page, spec.topologySpreadConstraints, '  ');
  if (spec.priorityClassName) page.row('Priority Class Name', spec.priorityClassName, 1);
  writePairs(page, '  Node-Selectors', spec.nodeSelector);
  writeTolerations(page, '  Tolerations', spec.tolerations);
}

/** How pods are spread. @param space before the title and every further line. */
export function writeSpread(
  page: Description,
  constraints: readonly SpreadConstraint[] = [],
  space: string,
): void {
  if (constraints.length === 0) return;
  const sorted = [...constraints].sort((a, b) => compare(a.topologyKey, b.topologyKey));
  page.text(`${space}Topology Spread Constraints:\t`);
  for (const [i, { topologyKey, whenUnsatisfiable, maxSkew, labelSelector }] of sorted.entries()) {
    if (i > 0) page.text(`${space}\t`);
    const selector = labelSelector === undefined ? '' : ` for selector ${selectorOrNone(labelSelector)}`;
    page.line(
      `${topologyKey ?? ''}:${whenUnsatisfiable ?? ''} when max skew ${maxSkew ?? 0} is exceeded${selector}`,
    );
  }
}

export function writeTolerations(
  page: Description,
  title: string,
  tolerations: readonly Toleration[] = [],
): void {
  const sorted = [...tolerations].sort((a, b) => compare(a.key, b.key));
  writeValues(page, title, sorted.map(tolerationText));
}

function tolerationText(toleration: Toleration): string {
  const { key = '', operator = '', value = '', effect = '', tolerationSeconds } = toleration;
  let text = key;
  if (value !== '') text += `=${value}`;
  if (effect !== '') text += `:${effect}`;
  if (operator === 'Exists' && value === '') text += key === '' && effect === '' ? 'op=Exists' : ' op=Exists';
  if (tolerationSeconds !== undefined) text += ` for ${tolerationSeconds}s`;
  return text;
}

function compare(a = '', b = ''): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
