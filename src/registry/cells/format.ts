import type { Json, JsonObject } from '../../meta/object.ts';
import { isObject, objectsAt, textAt } from '../../meta/fields.ts';

/** A map of labels as `a=b,c=d`, sorted; `<none>` when empty. */
export function formatLabels(labels: Json | undefined): string {
  if (!isObject(labels)) return '<none>';
  const pairs = Object.keys(labels)
    .sort()
    .map((key) => `${key}=${textAt(labels, key)}`);
  return pairs.length === 0 ? '<none>' : pairs.join(',');
}

const OPERATORS: Record<string, (key: string, values: string) => string> = {
  In: (key, values) => `${key} in (${values})`,
  NotIn: (key, values) => `${key} notin (${values})`,
  Exists: (key) => key,
  DoesNotExist: (key) => `!${key}`,
};

/** A label selector in the form that queries use, sorted by key; `empty` when it demands nothing. */
export function formatSelector(selector: Json | undefined, empty = '<none>'): string {
  if (!isObject(selector)) return empty;
  const parts: [key: string, text: string][] = [];
  const matchLabels = selector.matchLabels;
  if (isObject(matchLabels)) {
    for (const key of Object.keys(matchLabels)) parts.push([key, `${key}=${textAt(matchLabels, key)}`]);
  }
  for (const expression of objectsAt(selector, 'matchExpressions')) {
    const key = textAt(expression, 'key');
    const values = Array.isArray(expression.values) ? expression.values.map(String).sort().join(',') : '';
    const format = OPERATORS[textAt(expression, 'operator')];
    if (format === undefined) return '<error>';
    parts.push([key, format(key, values)]);
  }
  if (parts.length === 0) return empty;
  return parts
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, text]) => text)
    .join(',');
}

/** The first three of a list, and how many more there are. */
export function firstThree(all: readonly string[], total = all.length, shown = 3): string {
  const head = all.slice(0, shown).join(',');
  return total > shown ? `${head} + ${total - shown} more...` : head;
}

/** What one field holds in every item of a list of structs, joined. */
export function joinField(items: readonly JsonObject[], field: string): string {
  return items.map((item) => textAt(item, field)).join(',');
}
