import { join } from 'node:path';
import { nameTranslator, type NameList } from '../../src/names/translate.ts';
import { readYaml } from '../build/source.ts';

/** Takes names of the facts (the `kubernetes` profile) to the `orch` names that `schemas/` is written in. */
export interface FactNaming {
  group(name: string): string;
  /** `x-…` field names of schema types. */
  field(name: string): string;
}

/** Reads `schemas/names/`. The naming throws for a group or extension that no profile lists: add it there first. */
export function readNaming(directory: string): FactNaming {
  const list = (profile: string): NameList => readYaml(join(directory, `${profile}.yaml`)) as NameList;
  const translator = nameTranslator(list('kubernetes'), list('orch'));
  const listed = (name: string): string => {
    const translated = translator.name(name);
    if (translated === name) throw new Error(`schemas/names lists no ${name}`);
    return translated;
  };
  return {
    group: (name) => (name.includes('.') ? listed(name) : name),
    field: (name) => (name.startsWith('x-') ? listed(name) : name),
  };
}
