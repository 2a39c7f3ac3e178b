import { ApiError } from '../../../errors/api-error.ts';
import { isObject, parseGroupVersion, type ApiObject, type Json } from '../../../meta/object.ts';
import type { ParsedBody } from '../../../schema/parse/parsed-body.ts';
import { parseYaml } from '../../../schema/parse/yaml.ts';
import { lineOfField, syntaxError } from './locate-field.ts';
import { ManifestError, type Manifest, type Place } from './manifest.ts';

export interface ParsedDocument {
  readonly manifests: readonly Manifest[];
  /** One for each object that can't be used. */
  readonly errors: readonly ManifestError[];
  /** What is odd, but harmless. */
  readonly warnings: readonly string[];
}

/** Lists may hold lists, but not for ever. */
const MAX_NESTED_LISTS = 8;

/** Reads a document: an object, or a list of objects, each for itself. */
export function parseDocument(place: Place): ParsedDocument {
  const manifests: Manifest[] = [];
  const errors: ManifestError[] = [];
  try {
    const { value, duplicates } = readText(place);
    const collect = (found: Json, where: Place, depth: number): void => {
      try {
        const object = requireObject(found, where);
        const items = itemsOf(object);
        if (items === undefined) manifests.push({ object, place: where });
        else if (depth >= MAX_NESTED_LISTS) throw new ManifestError(where, 'lists are nested too deeply');
        else
          for (const [item, one] of items.entries()) collect(one, itemPlace(where, item, depth), depth + 1);
      } catch (error) {
        errors.push(asManifestError(error, where));
      }
    };
    if (value !== null) collect(value, place, 0);
    const warnings = duplicates.map(({ message }) => duplicateWarning(place, message));
    return { manifests, errors, warnings };
  } catch (error) {
    return { manifests, errors: [asManifestError(error, place)], warnings: [] };
  }
}

/** Within a list in a list the line can't be told from the index. */
function itemPlace(place: Place, item: number, depth: number): Place {
  const { file, document, line } = place;
  return depth === 0 ? { ...place, item } : { file, document, line, item };
}

function readText(place: Place): ParsedBody {
  const text = place.text ?? '';
  try {
    return parseYaml(Buffer.from(text));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const found = syntaxError(text, place.line);
    const why = found?.why ?? error.message.replace(/^the body is not (?:YAML|JSON): /, '');
    throw new ManifestError(place, `this is not YAML: ${why}`, {
      cause: error,
      ...(found && { line: found.line }),
    });
  }
}

/** @throws ManifestError for what can't be an object of any API. */
function requireObject(value: Json, place: Place): ApiObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ManifestError(place, 'an object is expected here');
  const refuse = (path: string, why: string): never => {
    const line = lineOfField(place, path);
    throw new ManifestError(place, `${path}: ${why}`, line === undefined ? {} : { line });
  };
  for (const field of ['apiVersion', 'kind']) {
    const text = value[field];
    if (text === undefined || text === null || text === '') refuse(field, 'is not set');
    else if (typeof text !== 'string') refuse(field, 'must be a string');
  }
  const object = value as ApiObject;
  if (parseGroupVersion(object.apiVersion) === undefined)
    refuse('apiVersion', `${JSON.stringify(object.apiVersion)} is no GROUP/VERSION`);
  const { metadata } = value;
  if (metadata === undefined || metadata === null) object.metadata = {};
  else if (typeof metadata !== 'object' || Array.isArray(metadata)) refuse('metadata', 'must be an object');
  for (const field of ['name', 'generateName', 'namespace']) {
    const text = object.metadata[field];
    if (text !== undefined && text !== null && typeof text !== 'string')
      refuse(`metadata.${field}`, `must be a string, not ${typeof text}`);
  }
  return object;
}

/** The items of a list: of a kind that ends in List, and with items. */
function itemsOf({ apiVersion, kind, items }: ApiObject): Json[] | undefined {
  if (!kind.endsWith('List') || !Array.isArray(items)) return undefined;
  const itemKind = kind.slice(0, -'List'.length);
  if (itemKind === '') return items;
  // Items of a list of one kind need not say which.
  return items.map((item) => (isObject(item) ? { apiVersion, kind: itemKind, ...item } : item));
}

/** The reader counts lines from the document's first. */
function duplicateWarning(place: Place, message: string): string {
  const match = /^line (\d+): (.*)$/s.exec(message);
  const { file, document, line } = place;
  const at = match === null ? line : line + Number(match[1]) - 1;
  return `${file}: document ${document}, line ${at}: ${match?.[2] ?? message}`;
}

function asManifestError(error: unknown, place: Place): ManifestError {
  if (error instanceof ManifestError) return error;
  return new ManifestError(place, error instanceof Error ? error.message : String(error), { cause: error });
}
