import { forbidden, invalid, required, tooLong, type FieldError } from '../../errors/field-error.ts';
import {
  dns1035LabelProblems,
  dnsLabelProblems,
  dnsSubdomainProblems,
  labelValueProblems,
  ipAddressProblems,
  pathSegmentProblems,
  qualifiedNameProblems,
  type Problems,
} from '../../meta/names.ts';
import type { ObjectMeta, OwnerReference } from '../../meta/object.ts';
import type { NameRule } from '../model.ts';
import { validateManagedFields } from './validate-managed-fields.ts';

/** What a kind asks of its objects' metadata. */
export interface MetadataRules {
  readonly namespaced: boolean;
  readonly nameRule: NameRule;
  /** Finalizers without a slash that mean something; undefined: any may be used. */
  readonly standardFinalizers?: ReadonlySet<string>;
}

const NAME_RULES: Readonly<Record<NameRule, (name: string) => Problems>> = {
  dnsSubdomain: dnsSubdomainProblems,
  dnsLabel: dnsLabelProblems,
  dns1035Label: dns1035LabelProblems,
  pathSegment: pathSegmentProblems,
  ipAddress: ipAddressProblems,
};

/** Keys and values of all annotations together, bytes. */
const ANNOTATIONS_LIMIT = 256 * 1024;

/** Checks the metadata of an object that is about to be stored. Hot: nothing is made for metadata that is right. */
export function validateObjectMeta(meta: ObjectMeta, rules: MetadataRules): FieldError[] {
  const errors: FieldError[] = [];
  validateName(meta, rules, errors);
  if ((meta.generation ?? 0) < 0) {
    errors.push(invalid('metadata.generation', meta.generation, 'must not be negative'));
  }
  validateContent(meta, errors);
  validateFinalizers(meta.finalizers ?? [], rules, errors);
  return errors;
}

/**
 * Checks a change of metadata, together with the metadata itself. The interface has two such checks, one for the objects
 * of all kinds and one of the kind's own, and clients are told what both of them find. Hot, as above.
 */
export function validateObjectMetaUpdate(
  meta: ObjectMeta,
  old: ObjectMeta,
  rules: MetadataRules,
): FieldError[] {
  const errors = validateObjectMeta(meta, rules);
  validateChange(meta, old, errors);
  // What is right for its kind is right for all.
  if (errors.length === 0) return errors;
  return [...errorsOfUpdate(meta, old, forAllKinds(rules)), ...errorsOfUpdate(meta, old, rules)];
}

function forAllKinds({ namespaced }: MetadataRules): MetadataRules {
  return { namespaced, nameRule: 'pathSegment' };
}

/** What one check of an update finds: in the object as it would be, and in its change, which looks at the content, too. */
function errorsOfUpdate(meta: ObjectMeta, old: ObjectMeta, rules: MetadataRules): FieldError[] {
  const errors = validateObjectMeta(meta, rules);
  validateChange(meta, old, errors);
  validateContent(meta, errors);
  validateStandardFinalizers(meta.finalizers ?? [], rules, errors);
  return errors;
}

function validateName(meta: ObjectMeta, { namespaced, nameRule }: MetadataRules, errors: FieldError[]): void {
  const { name = '', generateName = '', namespace = '' } = meta;
  const check = NAME_RULES[nameRule];
  if (generateName !== '') {
    // What is generated goes on behind it, so that it may end with a hyphen.
    const prefix =
      generateName.length > 1 && generateName.endsWith('-') ? `${generateName.slice(0, -1)}a` : generateName;
    addInvalid(errors, 'metadata.generateName', generateName, check(prefix));
  }
  if (name === '') errors.push(required('metadata.name', 'name or generateName is required'));
  else addInvalid(errors, 'metadata.name', name, check(name));
  if (!namespaced) {
    if (namespace !== '')
      errors.push(forbidden('metadata.namespace', 'objects of this kind are in no namespace'));
  } else if (namespace === '') errors.push(required('metadata.namespace'));
  else addInvalid(errors, 'metadata.namespace', namespace, dnsLabelProblems(namespace));
}

function validateContent(meta: ObjectMeta, errors: FieldError[]): void {
  for (const key in meta.labels) {
    const value = meta.labels[key] ?? '';
    addInvalid(errors, 'metadata.labels', key, qualifiedNameProblems(key));
    addInvalid(errors, 'metadata.labels', value, labelValueProblems(value));
  }
  validateAnnotations(meta, errors);
  if (meta.ownerReferences !== undefined) validateOwners(meta.ownerReferences, errors);
  if (meta.managedFields !== undefined) validateManagedFields(meta.managedFields, errors);
}

/** Annotation keys may also have upper case letters before the slash. */
function validateAnnotations({ annotations }: ObjectMeta, errors: FieldError[]): void {
  let units = 0;
  for (const key in annotations) {
    units += key.length + (annotations[key] ?? '').length;
    addInvalid(errors, 'metadata.annotations', key, qualifiedNameProblems(key.toLowerCase()));
  }
  // No text has more than three bytes for one of its units.
  if (units * 3 > ANNOTATIONS_LIMIT && bytesOf(annotations ?? {}) > ANNOTATIONS_LIMIT) {
    errors.push(tooLong('metadata.annotations', ANNOTATIONS_LIMIT));
  }
}

function bytesOf(annotations: Readonly<Record<string, string>>): number {
  let bytes = 0;
  for (const key in annotations) bytes += Buffer.byteLength(key) + Buffer.byteLength(annotations[key] ?? '');
  return bytes;
}

const OWNERS = 'metadata.ownerReferences';
const GROUP_VERSION = /^([^/]*\/)?[^/]+$/;

function validateOwners(owners: readonly OwnerReference[], errors: FieldError[]): void {
  let controller: string | undefined;
  for (const owner of owners) {
    validateOwner(owner, errors);
    if (owner.controller !== true) continue;
    if (controller !== undefined) {
      const why = `only one owner may be the controller, and ${controller} and ${owner.name} are`;
      errors.push(invalid(OWNERS, [...owners], why));
    }
    controller = owner.name;
  }
}

function validateOwner(owner: OwnerReference, errors: FieldError[]): void {
  const { apiVersion = '', kind = '', name = '', uid = '' } = owner as Partial<OwnerReference>;
  if (!GROUP_VERSION.test(apiVersion)) {
    errors.push(
      invalid(`${OWNERS}.apiVersion`, apiVersion, "must be a version, or a group, '/' and a version"),
    );
  }
  if (kind === '') errors.push(invalid(`${OWNERS}.kind`, kind, 'must not be empty'));
  if (name === '') errors.push(invalid(`${OWNERS}.name`, name, 'must not be empty'));
  if (uid === '') errors.push(invalid(`${OWNERS}.uid`, uid, 'must not be empty'));
  if (apiVersion === 'v1' && kind === 'Event') {
    errors.push(invalid(OWNERS, owner, 'an event can not own objects'));
  }
}

const FINALIZERS = 'metadata.finalizers';

function validateFinalizers(finalizers: readonly string[], rules: MetadataRules, errors: FieldError[]): void {
  for (const finalizer of finalizers)
    addInvalid(errors, FINALIZERS, finalizer, qualifiedNameProblems(finalizer));
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    errors.push(invalid(FINALIZERS, [...finalizers], "'orphan' and 'foregroundDeletion' exclude each other"));
  }
  validateStandardFinalizers(finalizers, rules, errors);
}

function validateStandardFinalizers(
  finalizers: readonly string[],
  { standardFinalizers }: MetadataRules,
  errors: FieldError[],
): void {
  if (standardFinalizers === undefined) return;
  for (const [i, finalizer] of finalizers.entries()) {
    if (finalizer.includes('/') || standardFinalizers.has(finalizer)) continue;
    const why = "must be a standard finalizer or have a domain and '/' before its name";
    errors.push(invalid(`${FINALIZERS}[${i}]`, finalizer, why));
  }
}

const IMMUTABLE = [
  'name',
  'namespace',
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
] as const;

function validateChange(meta: ObjectMeta, old: ObjectMeta, errors: FieldError[]): void {
  if (old.deletionTimestamp != null) {
    const added = (meta.finalizers ?? []).filter((finalizer) => !old.finalizers?.includes(finalizer));
    if (added.length > 0) {
      const why = `an object that is being deleted can't get finalizers; new are ${added.join(', ')}`;
      errors.push(forbidden(FINALIZERS, why));
    }
  }
  if ((meta.resourceVersion ?? '') === '') {
    errors.push(invalid('metadata.resourceVersion', '', 'must be specified for an update'));
  }
  if ((meta.generation ?? 0) < (old.generation ?? 0)) {
    errors.push(invalid('metadata.generation', meta.generation, 'must not go down'));
  }
  for (const field of IMMUTABLE) {
    if ((meta[field] ?? null) !== (old[field] ?? null)) {
      errors.push(invalid(`metadata.${field}`, meta[field], 'field is immutable'));
    }
  }
}

function addInvalid(errors: FieldError[], field: string, value: string, problems: Problems): void {
  for (let i = 0; i < problems.length; i++) errors.push(invalid(field, value, problems[i] as string));
}
