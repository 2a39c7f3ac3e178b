import { sameJson } from '../../../meta/same-json.ts';
import type { Json, JsonObject } from '../../../meta/object.ts';
import { ownMember } from '../../../schema/patch/directives.ts';

/** An operation of a JSON patch. */
export type Operation =
  | { readonly op: 'test' | 'add' | 'replace'; readonly path: string; readonly value: Json }
  | { readonly op: 'remove'; readonly path: string };

/**
 * The JSON patch from one version of an object to another. Before anything is changed, the patch makes sure that it is
 * what it was: then it fails as a whole where somebody else has changed the same field meanwhile, and only there.
 */
export function differenceOf(from: JsonObject, to: JsonObject): Operation[] {
  const tests: Operation[] = [];
  const changes: Operation[] = [];
  const compare = (old: JsonObject, now: JsonObject, path: string): void => {
    for (const key of Object.keys({ ...old, ...now })) {
      const where = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      const [a, b] = [ownMember(old, key), ownMember(now, key)];
      if (b === undefined && a !== undefined) {
        tests.push({ op: 'test', path: where, value: a });
        changes.push({ op: 'remove', path: where });
      } else if (a === undefined && b !== undefined) changes.push({ op: 'add', path: where, value: b });
      else if (isPlain(a) && isPlain(b)) compare(a, b, where);
      else if (a !== undefined && b !== undefined && !sameJson(a, b)) {
        tests.push({ op: 'test', path: where, value: a });
        changes.push({ op: 'replace', path: where, value: b });
      }
    }
  };
  compare(from, to, '');
  return [...tests, ...changes];
}

function isPlain(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
