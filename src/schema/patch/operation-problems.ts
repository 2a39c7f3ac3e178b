import { isObject, type Json } from '../../meta/object.ts';
import { formatPath, MAX_PROBLEMS, type ParsedBody, type PathStep } from '../parse/parsed-body.ts';
import { parsePointer } from './json-pointer.ts';

const FIELDS: ReadonlySet<string> = new Set(['op', 'path', 'from', 'value']);

/** Fields that operations of a JSON patch don't have and those that they have twice, as clients are told. */
export function operationProblems({ value, duplicates }: ParsedBody): string[] {
  const unknown = unknownFields(value).map((path) => `unknown field ${JSON.stringify(path)}`);
  return [...unknown, ...duplicates.map(({ message }) => message)].map((text) => `json patch ${text}`);
}

function unknownFields(patch: Json): string[] {
  const unknown: string[] = [];
  if (!Array.isArray(patch)) return unknown;
  for (const [index, operation] of patch.entries()) {
    if (!isObject(operation)) continue;
    for (const name of Object.keys(operation)) {
      if (!FIELDS.has(name) && unknown.length < MAX_PROBLEMS) unknown.push(formatPath([index, name]));
    }
  }
  return unknown;
}

/** Where a patched document has the numbers that the patch spells with a fraction or an exponent. */
export function floatsInDocument({ value: patch, floats }: ParsedBody): PathStep[][] {
  const paths: PathStep[][] = [];
  for (const [index, field, ...inner] of floats) {
    const operation = Array.isArray(patch) ? patch[Number(index)] : undefined;
    if (field !== 'value' || !isObject(operation ?? null)) continue;
    const { op, path } = operation as Record<string, Json>;
    const pointer = typeof path === 'string' && op !== 'test' ? parsePointer(path) : undefined;
    if (pointer !== undefined) paths.push([...pointer.map(toStep), ...inner]);
  }
  return paths;
}

/** An index of a list as a number: which one doesn't matter, since all items are of one type. */
function toStep(step: string): PathStep {
  return /^(-|-?\d+)$/.test(step) ? 0 : step;
}
