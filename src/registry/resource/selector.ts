import { textAt } from '../../meta/fields.ts';
import type { VariableType } from '../../schema/expressions/variable-type.ts';
import type { TypeCheck } from '../../schema/rules/rule-book.ts';
import { checkExpression, type CheckerSource } from '../expression-rules.ts';
import { MAX_EXPRESSION } from './claim.ts';

/** A device, as the expressions that select it see it. */
const DEVICE: VariableType = {
  driver: 'string',
  attributes: 'map<string, map<string, dyn>>',
  capacity: 'map<string, map<string, kubernetes.Quantity>>',
};

/** Compiles expressions that select devices. */
export function deviceSelector(checker: CheckerSource): TypeCheck {
  return (selector, at, { errors }) => {
    const text = textAt(selector, 'expression');
    if (Buffer.byteLength(text) > MAX_EXPRESSION) return;
    const place = { at: at.child('expression'), errors, results: ['bool', 'dyn'] };
    checkExpression(checker().with('device', DEVICE), text, place);
  };
}
