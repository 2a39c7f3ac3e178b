import { isObject, type Json, type JsonObject } from '../../../../meta/object.ts';
import { setOwn } from '../../../../schema/patch/directives.ts';
import { CtlError } from '../../errors.ts';
import { editField, type Edit, type FieldSpec } from './field-spec.ts';
import {
  ANNOTATION_FIELDS,
  type FieldRow,
  LABEL_FIELDS,
  NAMESPACE_FIELDS,
  REPLICA_FIELDS,
  TEMPLATE_LABEL_FIELDS,
} from './field-rows.ts';
import type { ImageRule, LabelRule, ReplicaRule, StringMap } from './kustomization.ts';
import { formatId, type Resource, type ResourceId } from './resource.ts';
import type { ResourceSet } from './resource-set.ts';
import type { Kind, Vocabulary } from './vocabulary.ts';
import { renamedImage } from './image-name.ts';

/** The changes that a kustomization makes to all resources alike. */
export class Transformer {
  readonly #resources: ResourceSet;
  readonly #vocabulary: Vocabulary;

  constructor(resources: ResourceSet, vocabulary: Vocabulary) {
    this.#resources = resources;
    this.#vocabulary = vocabulary;
  }

  /** Puts everything that can be in a namespace into this one. @throws CtlError when two have one name then. */
  namespace(namespace: string | undefined): void {
    if (namespace === undefined || namespace === '') return;
    for (const resource of this.#resources.all) {
      const { object } = resource;
      resource.remember();
      if (!resource.isClusterScoped) object.metadata.namespace = namespace;
      if (/^(?:Cluster)?RoleBinding$/.test(object.kind)) moveDefaultSubjects(object, namespace);
      this.#edit(resource, NAMESPACE_FIELDS, () => namespace);
    }
    const seen = new Set<string>();
    for (const { key, id } of this.#resources.all) {
      if (seen.has(key)) throw new CtlError(`namespace transformation produces ID conflict: ${formatId(id)}`);
      seen.add(key);
    }
  }

  prefix(prefix: string | undefined): void {
    this.#rename(prefix, (resource, text) => {
      resource.prefixes.push(text);
      return (name) => `${text}${name}`;
    });
  }

  suffix(suffix: string | undefined): void {
    this.#rename(suffix, (resource, text) => {
      resource.suffixes.push(text);
      return (name) => `${name}${text}`;
    });
  }

  #rename(
    text: string | undefined,
    how: (resource: Resource, text: string) => (name: string) => string,
  ): void {
    if (text === undefined || text === '') return;
    for (const resource of this.#resources.all) {
      if (this.#keepsName(resource.originalId)) continue;
      const rename = how(resource, text);
      resource.remember();
      resource.object.metadata.name = rename(resource.object.metadata.name ?? '');
    }
  }

  /** What others know by exactly this name. */
  #keepsName({ kind, group }: ResourceId): boolean {
    return (
      kind === 'CustomResourceDefinition' ||
      kind === 'Namespace' ||
      (kind === 'APIService' && this.#vocabulary.isGroup(group, 'group.apiregistration'))
    );
  }

  labels(rules: readonly LabelRule[], common: StringMap): void {
    for (const { pairs, includeSelectors, includeTemplates, fields = [] } of rules) {
      const own = fields.map(({ group, ...field }): FieldRow => ({
        ...field,
        ...(group && { groupName: group }),
      }));
      const more =
        includeSelectors === true ? LABEL_FIELDS : includeTemplates === true ? TEMPLATE_LABEL_FIELDS : [];
      const rows = [...own, ...more];
      this.#setAll(
        rows.some(({ path }) => path === METADATA_LABELS.path) ? rows : [...rows, METADATA_LABELS],
        pairs,
      );
    }
    this.#setAll(LABEL_FIELDS, common);
  }

  annotations(annotations: StringMap): void {
    this.#setAll(ANNOTATION_FIELDS, annotations);
  }

  #setAll(rows: readonly FieldRow[], pairs: StringMap): void {
    if (Object.keys(pairs).length === 0) return;
    const edit: Edit = (value) => {
      const map = value ?? {};
      if (!isObject(map)) throw new CtlError('a map of texts is expected');
      for (const [key, text] of Object.entries(pairs)) setOwn(map, key, text);
      return map;
    };
    for (const resource of this.#resources.all) this.#edit(resource, rows, edit);
  }

  /** @throws CtlError when there is nothing of that name that has replicas. */
  replicas(rules: readonly ReplicaRule[]): void {
    for (const { name, count } of rules) {
      let found = false;
      for (const resource of this.#resources.all) {
        const named = resource.ids().filter((id) => id.name === name);
        const rows = REPLICA_FIELDS.filter((row) => named.some((id) => this.#applies(row, id)));
        found ||= rows.length > 0;
        this.#edit(resource, rows, () => count);
      }
      const kinds = REPLICA_FIELDS.map(({ kind }) => kind).join(', ');
      if (!found)
        throw new CtlError(
          `replicas: there is no ${JSON.stringify(name)} of any kind that has them (${kinds})`,
        );
    }
  }

  /** Renames the images of containers, wherever containers are. */
  images(rules: readonly ImageRule[]): void {
    for (const rule of rules) {
      const rename = renamedImage(rule);
      for (const { object } of this.#resources.all) {
        if (object.kind !== 'CustomResourceDefinition') visitContainers(object, rename);
      }
    }
  }

  #edit(resource: Resource, rows: readonly FieldRow[], edit: Edit): void {
    for (const row of rows) {
      if (!this.#applies(row, resource.kind)) continue;
      try {
        editField(resource.object, row, edit);
      } catch (cause) {
        const why = cause instanceof Error ? cause.message : String(cause);
        throw new CtlError(`${formatId(resource.id)}: ${row.path}: ${why}`, { cause });
      }
    }
  }

  #applies(row: FieldRow, kind: Kind): boolean {
    return rowApplies(row, kind, this.#vocabulary);
  }
}

/** Whether a row is about a kind. */
export function rowApplies(row: FieldRow, { group, version, kind }: Kind, vocabulary: Vocabulary): boolean {
  if (row.kind !== undefined && row.kind !== kind) return false;
  if (row.version !== undefined && row.version !== version) return false;
  if (row.groupName !== undefined && row.groupName !== group) return false;
  return row.group === undefined || vocabulary.isGroup(group, row.group);
}

const METADATA_LABELS: FieldSpec = { path: 'metadata/labels', create: true };

/** The service account that every namespace has is meant to be that of this one. */
function moveDefaultSubjects(object: JsonObject, namespace: string): void {
  const { subjects } = object;
  if (!Array.isArray(subjects)) return;
  for (const subject of subjects) {
    if (isObject(subject) && subject['name'] === 'default') subject['namespace'] = namespace;
  }
}

function visitContainers(node: Json | undefined, rename: (image: string) => string): void {
  if (Array.isArray(node)) for (const item of node) visitContainers(item, rename);
  if (!isObject(node)) return;
  for (const [key, value] of Object.entries(node)) {
    visitContainers(value, rename);
    if ((key !== 'containers' && key !== 'initContainers') || !Array.isArray(value)) continue;
    for (const container of value) {
      if (isObject(container) && typeof container['image'] === 'string')
        container['image'] = rename(container['image']);
    }
  }
}
