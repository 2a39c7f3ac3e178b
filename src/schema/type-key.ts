import type { StructType } from './model.ts';

const BUILT_IN = 'io.k8s.';

/**
 * What rules, descriptions and hooks call a type in all its versions and both naming profiles: the last part of its
 * package and its name, e.g. `core.PodSpec`. Types that are not built in have their whole package before it, so that
 * nobody's `apps.Deployment` is taken for ours.
 */
export function typeKey({ name }: Pick<StructType, 'name'>): string {
  const path = name.split('.');
  const type = path.pop() ?? '';
  path.pop(); // the version
  return `${isBuiltIn({ name }) ? (path.at(-1) ?? '') : path.join('.')}.${type}`;
}

/** Whether a type is one of the interface's own. */
export function isBuiltIn({ name }: Pick<StructType, 'name'>): boolean {
  return name.startsWith(BUILT_IN);
}
