import { objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { JsonObject } from '../../meta/object.ts';
import type { OldLabels } from '../old-node-labels.ts';

/** Old labels that a term of a node selector asks for. */
export function termWarnings(term: JsonObject | undefined, path: string, labels: OldLabels): string[] {
  return objectsAt(term, 'matchExpressions').flatMap((expression, i) => {
    const key = textAt(expression, 'key');
    const why = labels.get(key);
    return why === undefined ? [] : [`${path}.matchExpressions[${i}].key: ${key} is ${why}`];
  });
}

/** Those that a label selector for nodes asks for. */
export function selectorWarnings(
  selector: JsonObject | undefined,
  path: string,
  labels: OldLabels,
): string[] {
  const found = termWarnings(selector, path, labels);
  for (const key of Object.keys(objectAt(selector, 'matchLabels') ?? {})) {
    const why = labels.get(key);
    if (why !== undefined) found.push(`${path}.matchLabels.${key}: ${why}`);
  }
  return found;
}
