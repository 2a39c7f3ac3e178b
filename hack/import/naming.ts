import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** Takes names of the facts (the `kubernetes` profile) to the `orch` names that `schemas/` is written in. */
export interface FactNaming {
  group(name: string): string;
  /** `x-…` field names of schema types. */
  field(name: string): string;
}

/** @param pairs name in the facts → name in `orch`, from the naming profiles. */
export function factNaming(pairs: ReadonlyMap<string, string>): FactNaming {
  return {
    group: (name) => (name.includes('.') ? expectName(pairs, name) : name),
    field: (name) => (name.startsWith('x-') ? expectName(pairs, name) : name),
  };
}

function expectName(pairs: ReadonlyMap<string, string>, name: string): string {
  const translated = pairs.get(name);
  if (translated === undefined) throw new Error(`no naming profile lists ${name}`);
  return translated;
}

/** Reads the pairs of names from the profiles, both a flat map from identifier to name. */
export function readNaming(directory: string): FactNaming {
  if (!existsSync(join(directory, 'orch.yaml'))) return TEMPORARY;
  const orch = parse(readFileSync(join(directory, 'orch.yaml'), 'utf8')) as Record<string, string>;
  const facts = parse(readFileSync(join(directory, 'kubernetes.yaml'), 'utf8')) as Record<string, string>;
  const pairs = new Map<string, string>();
  for (const [id, name] of Object.entries(facts))
    if (/^(group|extension)\./.test(id)) pairs.set(name, orch[id] ?? name);
  return factNaming(pairs);
}

const TEMPORARY: FactNaming = {
  group: (name) => name.replace(/\.k8s\.io$/, '.orch.io'),
  field: (name) => name.replace(/^x-kubernetes-/, 'x-orch-'),
};
