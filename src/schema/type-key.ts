import type { StructType } from './model.ts';

/** What rules and descriptions call a type in all its versions and both naming profiles: package and name, e.g. `core.PodSpec`. */
export function typeKey({ name }: Pick<StructType, 'name'>): string {
  const [type = '', , group = ''] = name.split('.').reverse();
  return `${group}.${type}`;
}
