import type { FieldError } from '../../errors/field-error.ts';
import { badRequestError } from '../../errors/status-errors.ts';
import type { ObjectMeta } from '../../meta/object.ts';
import {
  validateObjectMeta,
  validateObjectMetaUpdate,
  type MetadataRules,
} from '../../schema/metadata/validate-object-meta.ts';
import type { VerbRequest } from '../result.ts';
import type { Writing } from './writing.ts';

/** The name in an object must be the path's. @throws ApiError 400. */
export function agreeOnName(meta: ObjectMeta, { name, namespace }: VerbRequest): void {
  if (!meta.name) throw badRequestError(`the object has no name; the path names ${JSON.stringify(name)}`);
  if (meta.name !== name) {
    throw badRequestError(
      `the object's name ${JSON.stringify(meta.name)} is not the path's, ${JSON.stringify(name)}`,
    );
  }
  if (namespace !== '' && meta.namespace && meta.namespace !== namespace)
    throw otherNamespace(meta, namespace);
}

/** An object is in its path's namespace, or in none where the kind has none. @throws ApiError 400. */
export function agreeOnNamespace(meta: ObjectMeta, { resource, namespace }: VerbRequest): void {
  if (!resource.namespaced) delete meta.namespace;
  else if (!meta.namespace) meta.namespace = namespace;
  else if (meta.namespace !== namespace) throw otherNamespace(meta, namespace);
}

function otherNamespace(meta: ObjectMeta, namespace: string): Error {
  return badRequestError(
    `the object's namespace ${JSON.stringify(meta.namespace)} is not the path's, ${JSON.stringify(namespace)}`,
  );
}

/** The rules for a new object's metadata. */
export function checkNewMetadata(writing: Writing, meta: ObjectMeta): FieldError[] {
  return validateObjectMeta(meta, rulesOf(writing));
}

/** The rules for a changed object's metadata. */
export function checkChangedMetadata(writing: Writing, meta: ObjectMeta, old: ObjectMeta): FieldError[] {
  return validateObjectMetaUpdate(meta, old, rulesOf(writing));
}

function rulesOf({ request, dependencies }: Writing): MetadataRules {
  const { namespaced, nameRule } = request.resource;
  return { namespaced, nameRule, standardFinalizers: dependencies.standardFinalizers };
}
