import type { JsonObject } from '../../meta/object.ts';
import { objectAt, textAt } from '../../meta/fields.ts';
import { isFractional } from '../pod/warnings/fractions.ts';

/** Says which amounts of storage are no whole bytes. @param path of the claim's spec, as clients know it. */
export function fractionWarnings(spec: JsonObject | undefined, path: string): string[] {
  const amounts = objectAt(spec, 'resources');
  return ['requests', 'limits']
    .map((list) => ({ list, amount: textAt(objectAt(amounts, list), 'storage') }))
    .filter(({ amount }) => isFractional(amount))
    .map(
      ({ list, amount }) =>
        `${path}.resources.${list}[storage]: fractional byte value "${amount}" is invalid, must be an integer`,
    );
}
