import { invalid } from '../errors/field-error.ts';
import { objectAt } from '../meta/fields.ts';
import type { TypeCheck } from '../schema/rules/rule-book.ts';

/** The options of flex drivers, in pods and in volumes. @param reserved domains of the system, which none may have. */
export function flexVolumeCheck(reserved: readonly string[]): TypeCheck {
  return function checkFlexVolume(source, at, { errors }) {
    for (const option of Object.keys(objectAt(source, 'options') ?? {})) {
      const domain = `.${(option.split('/', 1)[0] ?? '').toLowerCase()}`;
      if (reserved.some((name) => domain.endsWith(`.${name}`)))
        errors.push(
          invalid(at.child('options').key(option), option, `${reserved.join(' and ')} are reserved`),
        );
    }
  };
}
