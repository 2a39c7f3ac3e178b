import { RE2JS } from 're2js';
import { parseLabelSelector } from '../../../../meta/label-selector.ts';
import { isObject, type ApiObject, type Json, type JsonObject } from '../../../../meta/object.ts';
import { applyJsonPatch } from '../../../../schema/patch/json-patch.ts';
import { CtlError } from '../../errors.ts';
import { splitDocuments } from '../split-documents.ts';
import type { Patch, Target } from './kustomization.ts';
import { parseText } from './parse-text.ts';
import { kindOf, type Resource, type ResourceId } from './resource.ts';
import type { ResourceSet } from './resource-set.ts';
import { mergeStrategically } from './strategic-merge.ts';
import type { Vocabulary } from './vocabulary.ts';

/** A patch and what its text says. */
export interface LoadedPatch extends Patch {
  /** The file, or where the patch stands. */
  readonly source: string;
  readonly text: string;
}

/** Applies a patch: a list is a JSON patch, objects are strategic merge patches. @throws CtlError naming its source. */
export function applyPatch(resources: ResourceSet, patch: LoadedPatch, vocabulary: Vocabulary): void {
  const documents = [...splitDocuments(patch.text.trim())].map(({ text }) => parseText(patch.source, text));
  try {
    const [first] = documents;
    if (Array.isArray(first) && documents.length === 1) applyOperations(resources, first, patch);
    else if (documents.length > 0) applyMerges(resources, documents, patch, vocabulary);
    else throw new CtlError('the patch is empty');
  } catch (cause) {
    throw new CtlError(`${patch.source}: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
  resources.keep(({ object }) => Object.keys(object).length > 0);
}

function applyOperations(resources: ResourceSet, operations: Json[], { target }: LoadedPatch): void {
  if (target === undefined) throw new CtlError('a JSON patch needs a target');
  for (const resource of select(resources, target)) {
    resource.remember();
    resource.object = withMetadata(applyJsonPatch(resource.object, structuredClone(operations)));
  }
}

function withMetadata(patched: Json): ApiObject {
  if (!isObject(patched)) throw new CtlError('a resource must stay an object');
  const metadata = isObject(patched['metadata']) ? patched['metadata'] : {};
  return { ...patched, metadata } as unknown as ApiObject;
}

function applyMerges(
  resources: ResourceSet,
  documents: readonly Json[],
  { target, options = {} }: LoadedPatch,
  vocabulary: Vocabulary,
): void {
  const patches = documents.map(requireResource);
  const [first] = patches;
  if (target !== undefined && patches.length > 1)
    throw new CtlError('several strategic merge patches in one entry can not have a target');
  for (const patch of patches) {
    const selected = target === undefined ? [resources.one(idOf(patch))] : select(resources, target);
    for (const resource of selected)
      mergeInto(resource, target === undefined ? patch : structuredClone(first ?? patch), {
        options,
        vocabulary,
      });
  }
}

interface MergeOptions {
  readonly options: NonNullable<Patch['options']>;
  readonly vocabulary: Vocabulary;
}

/** Whatever the patch says, the resource keeps its names, but for those that may change. */
function mergeInto(resource: Resource, patch: JsonObject, { options, vocabulary }: MergeOptions): void {
  const { apiVersion, kind, metadata } = resource.object;
  const { name, namespace } = metadata;
  if (options.allowNameChange === true || options.allowKindChange === true) resource.remember();
  const merged = mergeStrategically(vocabulary.typeOf(kindOf(resource.object)), resource.object, {
    ...patch,
    apiVersion,
  });
  if (merged === undefined) {
    resource.object = {} as ApiObject;
    return;
  }
  const object = withMetadata(merged);
  if (options.allowKindChange !== true) object.kind = kind;
  if (options.allowNameChange !== true) setOrDelete(object.metadata, 'name', name);
  setOrDelete(object.metadata, 'namespace', namespace);
  resource.object = object;
}

function setOrDelete(object: JsonObject, key: string, value: string | undefined): void {
  if (value === undefined) Reflect.deleteProperty(object, key);
  else object[key] = value;
}

function requireResource(document: Json): JsonObject {
  if (!isObject(document)) throw new CtlError('a patch is an object, or a list of operations');
  const { name } = isObject(document['metadata']) ? document['metadata'] : {};
  for (const [field, value] of Object.entries({ kind: document['kind'], 'metadata.name': name })) {
    if (typeof value !== 'string' || value === '')
      throw new CtlError(
        `${field} is missing; a strategic merge patch has one, also where a target says what it is for`,
      );
  }
  return document;
}

function idOf(patch: JsonObject): ResourceId {
  const { name, namespace } = patch['metadata'] as { name: string; namespace?: string };
  return { ...kindOf(patch), name, namespace: namespace ?? '' };
}

/** What a target means. @throws CtlError for expressions and selectors that make no sense, or match nothing. */
function select(resources: ResourceSet, target: Target): Resource[] {
  const matchers = new Map(
    (['group', 'version', 'kind', 'name', 'namespace'] as const).map((part) => [
      part,
      matcher(part, target[part]),
    ]),
  );
  const allows = (part: keyof Target, ...texts: readonly string[]): boolean => {
    const matches = matchers.get(part as 'name');
    return matches === undefined || texts.some(matches);
  };
  const labels = parseLabelSelector(target.labelSelector ?? '');
  const annotations = parseLabelSelector(target.annotationSelector ?? '');
  return resources.all.filter((resource) => {
    const { group, version, kind } = resource.kind;
    const original = resource.originalId;
    return (
      allows('group', group) &&
      allows('version', version) &&
      allows('kind', kind) &&
      allows('name', original.name, resource.id.name) &&
      allows('namespace', effectiveOf(resource, original), resource.effectiveNamespace) &&
      labels.matches(resource.object.metadata.labels) &&
      annotations.matches(resource.object.metadata.annotations)
    );
  });
}

function effectiveOf(resource: Resource, { namespace }: ResourceId): string {
  return namespace === '' ? resource.effectiveNamespace : namespace;
}

function matcher(part: string, pattern: string | undefined): ((text: string) => boolean) | undefined {
  if (pattern === undefined || pattern === '') return undefined;
  try {
    const expression = RE2JS.compile(pattern);
    return (text) => expression.matches(text);
  } catch (cause) {
    throw new CtlError(`target.${part}: ${JSON.stringify(pattern)} is no regular expression`, { cause });
  }
}
