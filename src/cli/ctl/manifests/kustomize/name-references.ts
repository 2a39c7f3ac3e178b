import { isObject, type Json, type JsonObject } from '../../../../meta/object.ts';
import { CtlError } from '../../errors.ts';
import { editField } from './field-spec.ts';
import type { FieldRow } from './field-rows.ts';
import { referenceRows, type ReferenceRow } from './reference-rows.ts';
import { formatId, NO_NAMESPACE, type Resource } from './resource.ts';
import type { ResourceSet } from './resource-set.ts';
import { rowApplies } from './transform.ts';
import type { Kind, Vocabulary } from './vocabulary.ts';

/** Names that have changed are changed wherever other resources refer to them. @throws CtlError where several could be meant. */
export function fixNameReferences(resources: ResourceSet, vocabulary: Vocabulary): void {
  const byOldName = new Map<string, Resource[]>();
  for (const resource of resources.all) {
    for (const name of new Set(resource.previous.map((id) => id.name))) {
      const known = byOldName.get(name);
      if (known === undefined) byOldName.set(name, [resource]);
      else known.push(resource);
    }
  }
  const rows = referenceRows(vocabulary);
  for (const referrer of resources.all) {
    for (const { target, fields } of rows) {
      for (const field of fields) {
        if (!rowApplies(field, referrer.originalId, vocabulary)) continue;
        const fixer = new ReferenceFixer({ byOldName, vocabulary, referrer, field, target });
        editField(referrer.object, field, (value) => fixer.fix(value ?? null));
      }
    }
  }
}

interface Reference {
  readonly byOldName: ReadonlyMap<string, readonly Resource[]>;
  readonly vocabulary: Vocabulary;
  readonly referrer: Resource;
  readonly field: FieldRow;
  readonly target: ReferenceRow['target'];
}

/** Changes one field of one resource. */
class ReferenceFixer {
  readonly #reference: Reference;

  constructor(reference: Reference) {
    this.#reference = reference;
  }

  /** The field's new value: a name, a list of names, or objects with a name and perhaps a namespace. */
  fix(value: Json): Json {
    if (Array.isArray(value)) return value.map((item) => this.fix(item));
    if (isObject(value)) return this.#fixObject(value);
    if (typeof value !== 'string') return value;
    return this.#find(value, undefined)?.object.metadata.name ?? value;
  }

  #fixObject(value: JsonObject): JsonObject {
    const { name, namespace } = value;
    if (typeof name !== 'string') return value;
    const found = this.#find(name, typeof namespace === 'string' ? namespace : undefined);
    if (found === undefined) return value;
    const { metadata } = found.object;
    if (metadata.name !== undefined) value['name'] = metadata.name;
    if (metadata.namespace) value['namespace'] = metadata.namespace;
    return value;
  }

  /** The resource that a name means; undefined when none of those here does. */
  #find(name: string, namespace: string | undefined): Resource | undefined {
    const { byOldName, referrer } = this.#reference;
    const all = byOldName.get(name) ?? [];
    let found = all.filter(
      (one) => this.#isVisible(one) && this.#isTarget(one) && this.#isSameNamespace(one),
    );
    if (namespace !== undefined) found = inNamespace(found, namespace);
    if (found.length === 1) return found[0];
    found = found.filter((one) => sameAffixes(one, referrer, true));
    if (found.length > 1) found = found.filter((one) => sameAffixes(one, referrer, false));
    const [first, ...others] = found;
    if (first === undefined || others.every((other) => sameName(first, other, namespace !== undefined)))
      return first;
    const ids = found.map(({ id }) => formatId(id)).join(', ');
    throw new CtlError(
      `${formatId(referrer.id)}: ${this.#reference.field.path}: ${JSON.stringify(name)} could be any of ${ids}`,
    );
  }

  /** From within a namespace, only what is in it or outside of all can be meant, but for bindings' service accounts. */
  #isVisible(resource: Resource): boolean {
    const { referrer } = this.#reference;
    if (referrer.isClusterScoped || resource.isClusterScoped) return true;
    if (resource.effectiveNamespace === referrer.effectiveNamespace) return true;
    return subjectNamespaces(referrer.object).has(resource.object.metadata.namespace ?? '');
  }

  #isSameNamespace(resource: Resource): boolean {
    const { referrer } = this.#reference;
    if (referrer.isClusterScoped || resource.isClusterScoped) return true;
    return (
      resource.object.kind === 'ServiceAccount' || resource.effectiveNamespace === referrer.effectiveNamespace
    );
  }

  #isTarget(resource: Resource): boolean {
    const { target, vocabulary, field, referrer } = this.#reference;
    const ids = resource.previousIds();
    if (!ids.some((id) => rowApplies({ ...target, path: '' }, id, vocabulary))) return false;
    const role = field.path === 'roleRef/name' ? roleOf(referrer.object) : undefined;
    return role === undefined || ids.some(({ group, kind }) => group === role.group && kind === role.kind);
  }
}

function roleOf({ roleRef }: JsonObject): Pick<Kind, 'group' | 'kind'> | undefined {
  if (!isObject(roleRef)) return undefined;
  const { apiGroup, kind } = roleRef;
  return typeof apiGroup === 'string' && typeof kind === 'string' ? { group: apiGroup, kind } : undefined;
}

function subjectNamespaces({ kind, subjects }: JsonObject): ReadonlySet<string> {
  const namespaces = new Set<string>();
  if (kind !== 'RoleBinding' || !Array.isArray(subjects)) return namespaces;
  for (const subject of subjects) {
    if (isObject(subject) && subject['kind'] === 'ServiceAccount' && typeof subject['namespace'] === 'string')
      namespaces.add(subject['namespace']);
  }
  return namespaces;
}

/** Those that were in a namespace, or else those that are. */
function inNamespace(resources: readonly Resource[], namespace: string): Resource[] {
  const original = resources.filter(({ originalId, effectiveNamespace }) => {
    const { namespace: old } = originalId;
    return (old === '' ? effectiveNamespace : old) === namespace && old !== NO_NAMESPACE;
  });
  if (original.length > 0) return original;
  return resources.filter((resource) => resource.effectiveNamespace === namespace);
}

/** Whether two come through the same layers, as their prefixes and suffixes tell. */
function sameAffixes(a: Resource, b: Resource, orNone: boolean): boolean {
  return sameEnding(a.prefixes, b.prefixes, orNone) && sameEnding(a.suffixes, b.suffixes, orNone);
}

function sameEnding(a: readonly string[], b: readonly string[], orNone: boolean): boolean {
  if (orNone && (a.length === 0 || b.length === 0)) return true;
  const length = Math.min(a.length, b.length);
  const ends = (list: readonly string[]): string => JSON.stringify(list.slice(list.length - length));
  return (length > 0 || a.length === b.length) && ends(a) === ends(b);
}

function sameName(a: Resource, b: Resource, withNamespace: boolean): boolean {
  const { name, namespace } = a.object.metadata;
  const other = b.object.metadata;
  return name === other.name && (!withNamespace || namespace === other.namespace);
}
