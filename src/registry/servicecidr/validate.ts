import { isIP } from 'node:net';
import { invalid, required } from '../../errors/field-error.ts';
import { formatCidr, parseCidr } from '../../lib/cidr.ts';
import { objectAt } from '../../meta/fields.ts';
import type { TypeCheck } from '../../schema/rules/rule-book.ts';
import { sameTexts, textsAt } from '../service/spec.ts';

/** One range, or one of each family, which stay as they are. */
export const serviceCidrSpec: TypeCheck = (spec, at, { errors, old }) => {
  const field = at.child('cidrs');
  const ranges = textsAt(spec, 'cidrs');
  if (old !== undefined) {
    const before = textsAt(objectAt(old, 'spec') ?? {}, 'cidrs');
    if (!sameTexts(ranges, before)) errors.push(invalid(field, ranges, 'may not be changed'));
    return;
  }
  if (ranges.length === 0) {
    errors.push(required(field, 'at least one range'));
    return;
  }
  if (ranges.length > 2) {
    errors.push(invalid(field, ranges, 'must be at most two'));
    return;
  }
  const families = ranges.map((text) => parseCidr(text)?.bits);
  if (ranges.length === 2 && (families.includes(undefined) || families[0] === families[1])) {
    errors.push(
      invalid(field, ranges, 'must be of different families, such as 192.168.0.0/24 and 2001:db8::/64'),
    );
    return;
  }
  for (const [i, text] of ranges.entries()) {
    const problem = rangeProblem(text);
    if (problem !== undefined) errors.push(invalid(field.index(i), text, problem));
  }
};

/** Only the usual form of a range, without bits behind its prefix. */
function rangeProblem(text: string): string | undefined {
  const [address = '', prefix = ''] = text.split('/');
  const range = parseCidr(text);
  if (range === undefined || isIP(address) === 0 || !/^(0|[1-9]\d*)$/.test(prefix)) {
    return 'must be a range of addresses, such as 10.9.8.0/24';
  }
  return formatCidr(range) === text ? undefined : `must be written ${formatCidr(range)}`;
}
