import { buildIndex } from './index.ts';
import type { Translator } from './names.ts';
import type { Source } from './source.ts';
import { StructBuilder } from './structs.ts';

/** The index and the types of a profile: file name → JSON. @throws Error naming what refers to nothing. */
export function buildTypes(source: Source, profile: string, translate: Translator): Map<string, string> {
  const structs = new StructBuilder(source, translate);
  const files = new Map([['index.json', JSON.stringify(buildIndex(source, profile, translate))]]);
  for (const [key, file] of source.files) files.set(`${key}.json`, JSON.stringify(structs.build(key, file)));
  return files;
}
