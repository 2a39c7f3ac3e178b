import type { TypeCheck } from '../schema/rules/rule-book.ts';

/** One check after the other. */
export function inTurn(first: TypeCheck, second: TypeCheck): TypeCheck {
  return (struct, at, context) => {
    first(struct, at, context);
    second(struct, at, context);
  };
}
