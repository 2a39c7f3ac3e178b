import { invalid, required, type FieldError } from '../../errors/field-error.ts';
import type { FieldPath } from '../../errors/field-path.ts';
import { objectAt, textAt } from '../../meta/fields.ts';
import { dnsLabelProblems, dnsSubdomainProblems } from '../../meta/names.ts';
import type { JsonObject } from '../../meta/object.ts';
import { addProblems } from '../problems.ts';

const CLAIM = 'PersistentVolumeClaim';

/**
 * What a claim's volume is filled with stands in `dataSourceRef`, and in the older `dataSource`, which ignores what
 * isn't a claim or a snapshot: each follows from the other where one is missing.
 *
 * @param snapshotGroup the API group of snapshots. @param old the claim's spec before an update
 */
export function agreeOnDataSources(
  spec: JsonObject,
  old: JsonObject | undefined,
  snapshotGroup: string,
): void {
  const ref = objectAt(spec, 'dataSourceRef');
  // Sources in other namespaces are behind a gate that is off.
  if (ref !== undefined && textAt(ref, 'namespace') !== '' && objectAt(old, 'dataSourceRef') === undefined)
    delete spec['dataSourceRef'];
  const hadSource = objectAt(old, 'dataSource') !== undefined || objectAt(old, 'dataSourceRef') !== undefined;
  const source = objectAt(spec, 'dataSource');
  const isIgnored = source !== undefined && !isClaimOrSnapshot(source, snapshotGroup);
  if (isIgnored && !hadSource && objectAt(spec, 'dataSourceRef') === undefined) delete spec['dataSource'];
  fillIn(spec);
}

function isClaimOrSnapshot(source: JsonObject, snapshotGroup: string): boolean {
  const group = textAt(source, 'apiGroup');
  const kind = textAt(source, 'kind');
  return (kind === CLAIM && group === '') || (kind === 'VolumeSnapshot' && group === snapshotGroup);
}

function fillIn(spec: JsonObject): void {
  const source = objectAt(spec, 'dataSource');
  const ref = objectAt(spec, 'dataSourceRef');
  if (source !== undefined && ref === undefined) spec['dataSourceRef'] = { ...source };
  else if (ref !== undefined && source === undefined && textAt(ref, 'namespace') === '') {
    const { namespace: _, ...rest } = ref;
    spec['dataSource'] = rest;
  }
}

/** @param anyGroup whether the group is left alone: it was there before. */
export function checkDataSources(
  spec: JsonObject,
  at: FieldPath,
  { errors, anyGroup }: { readonly errors: FieldError[]; readonly anyGroup: boolean },
): void {
  const source = objectAt(spec, 'dataSource');
  const ref = objectAt(spec, 'dataSourceRef');
  if (source !== undefined) checkReference(source, at.child('dataSource'), { errors, anyGroup });
  if (ref !== undefined) checkReference(ref, at.child('dataSourceRef'), { errors, anyGroup });
  const namespace = textAt(ref, 'namespace');
  if (namespace !== '') {
    addProblems(errors, at.child('dataSourceRef').child('namespace'), namespace, dnsLabelProblems(namespace));
  }
  if (source === undefined || ref === undefined) return;
  if (namespace !== '')
    errors.push(invalid(at, 'dataSource', 'may not be set when dataSourceRef has a namespace'));
  else if (['apiGroup', 'kind', 'name'].some((field) => source[field] !== ref[field]))
    errors.push(invalid(at, 'dataSource', 'must be the same as dataSourceRef'));
}

function checkReference(
  reference: JsonObject,
  at: FieldPath,
  { errors, anyGroup }: { readonly errors: FieldError[]; readonly anyGroup: boolean },
): void {
  const [name, kind, group] = ['name', 'kind', 'apiGroup'].map((field) => textAt(reference, field));
  if (name === '') errors.push(required(at.child('name')));
  if (kind === '') errors.push(required(at.child('kind')));
  if (group === '' && kind !== CLAIM)
    errors.push(invalid(at, kind, `must be ${CLAIM} where there is no apiGroup`));
  if (group !== undefined && group !== '' && !anyGroup)
    addProblems(errors, at.child('apiGroup'), group, dnsSubdomainProblems(group));
}
