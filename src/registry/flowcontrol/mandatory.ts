import { invalid } from '../../errors/field-error.ts';
import { objectAt } from '../../meta/fields.ts';
import type { JsonObject } from '../../meta/object.ts';
import { sameJson } from '../../meta/same-json.ts';
import type { TypeCheck } from '../../schema/rules/rule-book.ts';

/** Flow-control configuration as it is to be: specs by kind and name (`schemas/bootstrap/flowcontrol.yaml`). */
export type FlowControlSpecs = Readonly<Record<string, Readonly<Record<string, JsonObject>>>>;

/** What of a mandatory object is for administrators to change, by kind and name. */
const FREE: Readonly<Record<string, string>> = { 'PriorityLevelConfiguration/exempt': 'exempt' };

/** Objects that the system can't do without have the spec that they are to have. */
export function mandatoryCheck(kind: string, mandatory: () => FlowControlSpecs): TypeCheck {
  return (object, at, { root, errors }) => {
    const { name = '' } = root.metadata;
    const specs = mandatory()[kind];
    const wanted = specs !== undefined && Object.hasOwn(specs, name) ? specs[name] : undefined;
    if (wanted === undefined) return;
    const free = FREE[`${kind}/${name}`];
    const spec = objectAt(object, 'spec') ?? {};
    if (sameJson(without(spec, free), without(wanted, free))) return;
    errors.push(invalid(at.child('spec'), spec, `the spec of ${name} is fixed`));
  };
}

function without(spec: JsonObject, field: string | undefined): JsonObject {
  const copy = { ...spec };
  if (field !== undefined) delete copy[field];
  return copy;
}
