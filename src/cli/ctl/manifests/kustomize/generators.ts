import { posix } from 'node:path';
import type { ApiObject, JsonObject } from '../../../../meta/object.ts';
import { CtlError } from '../../errors.ts';
import type { GeneratorOptions, GeneratorRule } from './kustomization.ts';
import { Resource } from './resource.ts';
import type { Vocabulary } from './vocabulary.ts';

/** What generators need of the world. */
export interface GeneratorInput {
  /** Reads a file below the kustomization's folder. */
  readonly load: (path: string) => Promise<Uint8Array>;
  readonly vocabulary: Vocabulary;
  /** Of all generators of the kustomization. */
  readonly options: GeneratorOptions | undefined;
}

type GeneratedKind = 'ConfigMap' | 'Secret';

/** Makes an object of files, literals and environment files. @throws CtlError naming the generator. */
export async function generate(
  kind: GeneratedKind,
  rule: GeneratorRule,
  input: GeneratorInput,
): Promise<Resource> {
  try {
    const options = mergeOptions(rule.options, input.options);
    const pairs = await readPairs(rule, input.load);
    const object = makeObject(kind, rule, { pairs, options });
    const resource = new Resource(object as ApiObject, input.vocabulary);
    resource.hashed = options.disableNameSuffixHash !== true;
    resource.behavior = rule.behavior || 'create';
    return resource;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CtlError(`${generatorName(kind)} ${JSON.stringify(rule.name)}: ${why}`, { cause });
  }
}

function generatorName(kind: GeneratedKind): string {
  return kind === 'ConfigMap' ? 'configMapGenerator' : 'secretGenerator';
}

function mergeOptions(own: GeneratorOptions = {}, general: GeneratorOptions = {}): GeneratorOptions {
  return {
    labels: { ...general.labels, ...own.labels },
    annotations: { ...general.annotations, ...own.annotations },
    disableNameSuffixHash: own.disableNameSuffixHash === true || general.disableNameSuffixHash === true,
    immutable: own.immutable === true || general.immutable === true,
  };
}

interface Content {
  readonly pairs: ReadonlyMap<string, Uint8Array>;
  readonly options: GeneratorOptions;
}

function makeObject(kind: GeneratedKind, rule: GeneratorRule, { pairs, options }: Content): JsonObject {
  const { labels = {}, annotations = {}, immutable } = options;
  const metadata: JsonObject = { name: rule.name };
  if (rule.namespace) metadata['namespace'] = rule.namespace;
  if (Object.keys(labels).length > 0) metadata['labels'] = { ...labels };
  if (Object.keys(annotations).length > 0) metadata['annotations'] = { ...annotations };
  return {
    apiVersion: 'v1',
    kind,
    metadata,
    ...(kind === 'Secret' ? { type: rule.type || 'Opaque' } : {}),
    ...(kind === 'Secret' ? secretData(pairs) : configMapData(pairs)),
    ...(immutable === true ? { immutable } : {}),
  };
}

function secretData(pairs: ReadonlyMap<string, Uint8Array>): JsonObject {
  const data: JsonObject = {};
  for (const [key, value] of pairs) data[key] = base64(value);
  return pairs.size === 0 ? {} : { data };
}

/** What is no text goes where bytes go. */
function configMapData(pairs: ReadonlyMap<string, Uint8Array>): JsonObject {
  const data: JsonObject = {};
  const binaryData: JsonObject = {};
  for (const [key, value] of pairs) {
    const text = textOf(value);
    if (text === undefined) binaryData[key] = base64(value);
    else data[key] = text;
  }
  return {
    ...(Object.keys(data).length === 0 ? {} : { data }),
    ...(Object.keys(binaryData).length === 0 ? {} : { binaryData }),
  };
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const LINE = /.{1,70}/g;

/** In lines where it is long, as kustomize has it: hashes depend on it. */
function base64(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString('base64');
  return text.length < 70 ? text : text.replace(LINE, '$&\n');
}

async function readPairs(
  { envs = [], literals = [], files = [] }: GeneratorRule,
  load: GeneratorInput['load'],
): Promise<Map<string, Uint8Array>> {
  const pairs = new Map<string, Uint8Array>();
  const add = (key: string, value: Uint8Array): void => {
    if (!/^[-._a-zA-Z0-9]{1,253}$/.test(key) || key === '.' || key === '..')
      throw new CtlError(`${JSON.stringify(key)} is not a valid key`);
    if (pairs.has(key)) throw new CtlError(`the key ${JSON.stringify(key)} is there twice`);
    pairs.set(key, value);
  };
  for (const path of envs) {
    for (const [key, value] of readEnvironment(path, await load(path))) add(key, Buffer.from(value));
  }
  for (const literal of literals) add(...readLiteral(literal));
  for (const file of files) {
    const { key, path } = readFileSource(file);
    add(key, await load(path));
  }
  return pairs;
}

function readEnvironment(path: string, bytes: Uint8Array): [string, string][] {
  const text = textOf(bytes);
  if (text === undefined) throw new CtlError(`${path}: this is not a text in UTF-8`);
  const pairs: [string, string][] = [];
  for (const [index, raw] of text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .entries()) {
    const line = raw.trimStart();
    if (line === '' || line.startsWith('#')) continue;
    const equals = line.indexOf('=');
    const key = equals < 0 ? line : line.slice(0, equals);
    if (!/^[-._a-zA-Z][-._a-zA-Z0-9]*$/.test(key))
      throw new CtlError(`${path}: line ${index + 1}: ${JSON.stringify(key)} is no name of a variable`);
    pairs.push([key, equals < 0 ? '' : line.slice(equals + 1)]);
  }
  return pairs;
}

function readLiteral(literal: string): [string, Uint8Array] {
  const equals = literal.indexOf('=');
  if (equals <= 0) throw new CtlError(`invalid literal source ${literal}, expected key=value`);
  const value = literal.slice(equals + 1);
  const quoted = /^(["'])(.*)\1$/s.exec(value);
  return [literal.slice(0, equals), Buffer.from(quoted?.[2] ?? value)];
}

function readFileSource(source: string): { key: string; path: string } {
  const [first = '', second, ...more] = source.split('=');
  if (second === undefined) return { key: posix.basename(source), path: source };
  if (more.length > 0)
    throw new CtlError(`source ${JSON.stringify(source)}: key name or file path contains '='`);
  if (first === '') throw new CtlError(`missing key name for file path ${JSON.stringify(second)}`);
  if (second === '') throw new CtlError(`missing file path for key name ${JSON.stringify(first)}`);
  return { key: first, path: second };
}
