import { forbidden, invalid, required, type FieldError } from '../../../errors/field-error.ts';
import type { FieldPath } from '../../../errors/field-path.ts';
import { objectAt, textAt } from '../../../meta/fields.ts';
import { dnsSubdomainProblems } from '../../../meta/names.ts';
import type { JsonObject } from '../../../meta/object.ts';
import { FORMATS } from '../../../schema/rules/formats.ts';
import type { CheckContext, TypeCheck } from '../../../schema/rules/rule-book.ts';
import { checkSignerName } from '../../certificatesigningrequest/validate.ts';
import { addProblems } from '../../problems.ts';
import { itemsOf } from './container-lists.ts';
import { checkFilePath } from './volume-file.ts';
import { checkDownwardFile } from './env.ts';

const SOURCES = ['secret', 'configMap', 'downwardAPI', 'serviceAccountToken', 'clusterTrustBundle'];

/** Several sources in one volume: each is one thing, and no two have files of the same path. */
export const projectedCheck: TypeCheck = (volume, at, context) => {
  const { errors } = context;
  const paths = new Set<string>();
  itemsOf(volume['sources']).forEach((source, i) => {
    const path = at.child('sources').index(i);
    checkPaths(source, { at, paths }, errors);
    for (const file of itemsOf(objectAt(source, 'downwardAPI')?.['items'])) {
      checkFilePath(file, path.child('downwardAPI'), errors);
      checkDownwardFile(file, path.child('downwardAPI'), errors);
    }
    const token = objectAt(source, 'serviceAccountToken');
    if (token !== undefined) checkTokenPath(token, at, context);
    const bundle = objectAt(source, 'clusterTrustBundle');
    if (bundle !== undefined) checkBundle(bundle, path.child('clusterTrustBundle'), errors);
    if (SOURCES.filter((name) => source[name] != null).length > 1)
      errors.push(forbidden(path, `may have only one of ${SOURCES.join(', ')}`));
  });
};

/** The same path twice is told at the volume. */
function checkPaths(
  source: JsonObject,
  { at, paths }: { readonly at: FieldPath; readonly paths: Set<string> },
  errors: FieldError[],
): void {
  const files = ['secret', 'configMap', 'downwardAPI'].flatMap((name) =>
    itemsOf(objectAt(source, name)?.['items']),
  );
  const bundle = objectAt(source, 'clusterTrustBundle');
  for (const file of bundle === undefined ? files : [...files, bundle]) {
    const path = textAt(file, 'path');
    if (path === '') continue;
    if (paths.has(path)) errors.push(invalid(at, path, 'two files have this path'));
    paths.add(path);
  }
}

/** A token's path is told at the volume: that is where the reference has it. */
function checkTokenPath(token: JsonObject, at: FieldPath, { errors, tolerates }: CheckContext): void {
  const path = textAt(token, 'path');
  if (path === '') errors.push(required(at.child('path')));
  for (const problem of path === '' ? [] : FORMATS.volumePath(path))
    if (!tolerates('tokenPath')) errors.push(invalid(at.child('path'), path, problem));
}

/** The name of a bundle begins with its signer, if it has one, and a colon. */
function checkBundleName(name: string, at: FieldPath, errors: FieldError[]): void {
  if (name === '') errors.push(required(at));
  const colon = name.lastIndexOf(':');
  if (colon === 0) errors.push(invalid(at, name, "must name the signer before ':'"));
  else addProblems(errors, at, name, dnsSubdomainProblems(name.slice(colon + 1)));
}

function checkBundle(bundle: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const { name, signerName } = bundle;
  if (name != null && signerName != null)
    errors.push(invalid(at, bundle, 'may not have both name and signerName'));
  else if (name == null && signerName == null) errors.push(required(at, 'must have name or signerName'));
  else if (typeof signerName === 'string')
    errors.push(...checkSignerName(String(at.child('signerName')), signerName));
  else if (typeof name === 'string') checkBundleName(name, at.child('name'), errors);
  if (name != null && signerName == null && bundle['labelSelector'] != null)
    errors.push(
      invalid(at.child('labelSelector'), bundle['labelSelector'], 'may not be set together with name'),
    );
  const path = textAt(bundle, 'path');
  if (path === '') errors.push(required(at.child('path')));
  else for (const problem of FORMATS.volumePath(path)) errors.push(invalid(at.child('path'), path, problem));
}
