import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readYaml } from './source.ts';

/** Takes a group or `x-…` name of `schemas/` to the name that a profile has for it; other names stay. */
export type Translator = (name: string) => string;

/** Reads the translators of the profiles from `schemas/names/`, where both list the same identifiers. */
export function readTranslators(directory: string): ReadonlyMap<string, Translator> {
  if (!existsSync(join(directory, 'orch.yaml'))) return TEMPORARY;
  const source = readYaml(join(directory, 'orch.yaml')) as Record<string, string>;
  const target = readYaml(join(directory, 'kubernetes.yaml')) as Record<string, string>;
  const names = new Map<string, string>();
  for (const [id, name] of Object.entries(source)) {
    if (/^(group|extension)\./.test(id)) names.set(name, target[id] ?? name);
  }
  return new Map<string, Translator>([
    ['orch', (name) => name],
    ['kubernetes', (name) => names.get(name) ?? name],
  ]);
}

const TEMPORARY = new Map<string, Translator>([
  ['orch', (name) => name],
  ['kubernetes', (name) => name.replace(/\.orch\.io$/, '.k8s.io').replace(/^x-orch-/, 'x-kubernetes-')],
]);
