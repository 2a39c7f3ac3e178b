import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  WORDS,
  type Condition,
  type FieldRules,
  type RulesFile,
  type TypeRules,
  type ValueRules,
} from '../../src/schema/rules/format.ts';
import { FORMATS } from '../../src/schema/rules/formats.ts';
import { typeKey } from '../../src/schema/type-key.ts';
import type { SourceFile } from '../schema-source.ts';
import { readYaml, versionsOf, type Source } from './source.ts';

/**
 * The rules of all files of `schemas/rules/`, by {@link typeKey}, such as `core.PodSpec`.
 *
 * @throws Error for a word that isn't of the vocabulary, and for a type or field that no version has.
 */
export function readRules(folder: string, source: Source): Record<string, TypeRules> {
  const all: Record<string, TypeRules> = {};
  for (const file of readdirSync(folder).sort()) {
    const { types } = readYaml(join(folder, file)) as RulesFile;
    const group = file.replace(/\.yaml$/, '');
    const versions = versionsOf(source, group);
    for (const [type, rules] of Object.entries(types)) {
      checkType(`${file}: ${type}`, rules, fieldsOf(type, versions));
      for (const { package: prefix, types: known } of versions)
        if (Object.hasOwn(known, type)) all[typeKey({ name: `${prefix}.${type}` })] = rules;
    }
  }
  return all;
}

function fieldsOf(type: string, versions: readonly SourceFile[]): Set<string> {
  return new Set(versions.flatMap((version) => namesOf(type, version)));
}

/** The fields of a type, and of those that stand in it without a name of their own. */
function namesOf(type: string, version: SourceFile): string[] {
  return Object.entries(version.types[type]?.fields ?? {}).flatMap(([name, { inline }]) =>
    inline === undefined ? [name] : namesOf(inline, version),
  );
}

function checkType(where: string, rules: TypeRules, known: ReadonlySet<string>): void {
  if (known.size === 0) throw new Error(`${where}: no version has this type`);
  checkWords(where, rules, WORDS.type);
  const names = [
    ...(rules.exactlyOneOf ?? []),
    ...(rules.atMostOneOf ?? []),
    ...Object.keys(rules.fields ?? {}),
  ];
  for (const [field, asked] of Object.entries(rules.fields ?? {})) {
    names.push(...checkField(`${where}.${field}`, asked));
  }
  const unknown = names.filter((name) => !known.has(name));
  if (unknown.length > 0) throw new Error(`${where}: no version has ${unknown.join(', ')}`);
}

/** @returns the fields that conditions name. */
function checkField(where: string, rules: FieldRules): string[] {
  checkWords(where, rules, [...WORDS.field, ...WORDS.value]);
  checkValues(where, rules);
  const conditions = [rules.required, rules.forbidden].filter(
    (condition): condition is Condition => typeof condition === 'object',
  );
  return conditions.flatMap((condition) => {
    checkWords(where, condition, WORDS.condition);
    return Object.keys({ ...condition.when, ...condition.unless });
  });
}

function checkValues(where: string, rules: ValueRules): void {
  if (rules.format !== undefined && !Object.hasOwn(FORMATS, rules.format)) {
    throw new Error(`${where}: there is no format ${String(rules.format)}`);
  }
  for (const inner of [rules.each, rules.keys]) {
    if (inner === undefined) continue;
    checkWords(where, inner, WORDS.value);
    checkValues(where, inner);
  }
}

function checkWords(where: string, rules: object, known: readonly string[]): void {
  const unknown = Object.keys(rules).filter((word) => !known.includes(word));
  if (unknown.length > 0) throw new Error(`${where}: ${unknown.join(', ')} is not of the vocabulary`);
}
