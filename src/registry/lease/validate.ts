import { forbidden, invalid, notSupported, required, type FieldError } from '../../errors/field-error.ts';
import type { FieldPath } from '../../errors/field-path.ts';
import { textAt } from '../../meta/fields.ts';
import { qualifiedNameProblems } from '../../meta/names.ts';
import type { TypeCheck } from '../../schema/rules/rule-book.ts';
import { addProblems } from '../problems.ts';
import { compareVersions, parseVersion } from './semantic-version.ts';

const OLDEST = 'OldestEmulationVersion';

/** How the holder of a lease is chosen. The path is the one that clients know. */
function checkStrategy(strategy: string, at: FieldPath, errors: FieldError[]): void {
  const path = at.child('strategy').child('strategy');
  if (strategy.includes('/')) addProblems(errors, path, strategy, qualifiedNameProblems(strategy));
  else if (strategy !== OLDEST) errors.push(notSupported(path, strategy, [OLDEST]));
}

/** Specs of Leases, whose elections may be coordinated. */
export const leaseSpec: TypeCheck = (spec, at, { errors }) => {
  const { strategy } = spec;
  if (typeof strategy === 'string') checkStrategy(strategy, at, errors);
  if (textAt(spec, 'preferredHolder') !== '' && textAt(spec, 'strategy') === '')
    errors.push(forbidden(at.child('preferredHolder'), 'needs a strategy'));
};

/** Specs of LeaseCandidates: who would hold a lease, with the versions that they are of. */
export const leaseCandidateSpec: TypeCheck = (spec, at, { errors }) => {
  const [binary, emulation, strategy] = ['binaryVersion', 'emulationVersion', 'strategy'].map((field) =>
    textAt(spec, field),
  ) as [string, string, string];
  for (const field of ['leaseName', 'binaryVersion', 'strategy'])
    if (textAt(spec, field) === '') errors.push(required(at.child(field)));
  const [own, emulated] = [parseVersion(binary), parseVersion(emulation)];
  const rule = 'must be a semantic version, such as 1.2.3';
  if (binary !== '' && own === undefined) errors.push(invalid(at.child('binaryVersion'), binary, rule));
  if (emulation !== '' && emulated === undefined)
    errors.push(invalid(at.child('emulationVersion'), emulation, rule));
  if (own !== undefined && emulated !== undefined && compareVersions(own, emulated) < 0)
    errors.push(invalid(at.child('binaryVersion'), binary, 'must not be less than emulationVersion'));
  if (strategy === OLDEST && emulated === undefined) errors.push(required(at.child('emulationVersion')));
  if (strategy !== '') checkStrategy(strategy, at, errors);
};
