import { UsageError } from '../../errors.ts';

/** The arguments, when there are as many as there must be. @throws UsageError */
export function exactly(args: readonly string[], count: number): readonly [string, ...string[]] {
  const [first, ...rest] = args;
  if (first === undefined || args.length !== count)
    throw new UsageError(`Unexpected args: [${args.join(' ')}]`);
  return [first, ...rest];
}
