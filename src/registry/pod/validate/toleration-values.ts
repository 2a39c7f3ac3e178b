import { invalid, notSupported } from '../../../errors/field-error.ts';
import { textAt } from '../../../meta/fields.ts';
import { qualifiedNameProblems } from '../../../meta/names.ts';
import type { TypeCheck } from '../../../schema/rules/rule-book.ts';

const OPERATORS = ['Equal', 'Exists'];
const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** What data says of tolerations in fields, for those in annotations. */
export const tolerationValueCheck: TypeCheck = (toleration, at, { errors }) => {
  const key = textAt(toleration, 'key');
  for (const problem of key === '' ? [] : qualifiedNameProblems(key))
    errors.push(invalid(at.child('key'), key, problem));
  const operator = textAt(toleration, 'operator');
  if (operator !== '' && !OPERATORS.includes(operator))
    errors.push(notSupported(at.child('operator'), operator, OPERATORS));
  const effect = textAt(toleration, 'effect');
  if (effect !== '' && !EFFECTS.includes(effect))
    errors.push(notSupported(at.child('effect'), effect, EFFECTS));
};
