import { badRequestError } from '../errors/status-errors.ts';
import { FieldSelector, parseFieldSelector } from '../meta/field-selector.ts';
import { parseLabelSelector, type LabelSelector } from '../meta/label-selector.ts';
import { SelectorError } from '../meta/selector-error.ts';
import type { ResourceHooks } from '../registry/hooks.ts';
import type { ResourceDefinition } from '../schema/model.ts';
import type { EntryFilter, StoredEntry } from '../store/object-store.ts';

/** What chooses among the objects of a collection. */
export interface Selection {
  readonly labelSelector: string;
  readonly fieldSelector: string;
}

/** What is listed or watched. */
export interface FilteredKind {
  readonly resource: ResourceDefinition;
  readonly hooks: ResourceHooks;
}

/** Fields by which watchers are bucketed: kubelets watch the pods of one node each. */
const TRIGGERS: readonly string[] = ['spec.nodeName'];

/**
 * Makes the filter of a list or watch.
 *
 * @param name of the one object that the path names, '' for a collection.
 * @returns undefined when everything is chosen. @throws ApiError 400 for selectors that make no sense here.
 */
export function createFilter(
  { resource, hooks }: FilteredKind,
  { labelSelector, fieldSelector }: Selection,
  name = '',
): EntryFilter | undefined {
  if (labelSelector === '' && fieldSelector === '' && name === '') return undefined;
  const labels = understand(() => parseLabelSelector(labelSelector));
  const fields = understand(() => parseFieldSelector(fieldSelector, resource.selectableFields));
  const demanded = fields.demanded('metadata.name');
  if (name !== '' && !fields.matchesAll && demanded !== name) {
    throw badRequestError(`the field selector does not choose ${JSON.stringify(name)}, which the path names`);
  }
  if (labels.matchesAll && fields.matchesAll && name === '') return undefined;
  return new SelectorFilter(labels, inStoredVersion(fields, hooks), name === '' ? demanded : name);
}

/** Entries know their fields by the names of the stored version. */
function inStoredVersion(fields: FieldSelector, { storedField }: ResourceHooks): FieldSelector {
  if (storedField === undefined) return fields;
  return new FieldSelector(fields.requirements.map((term) => ({ ...term, field: storedField(term.field) })));
}

class SelectorFilter implements EntryFilter {
  readonly #labels: LabelSelector;
  readonly #fields: FieldSelector;
  readonly name?: string;
  readonly namespace?: string;
  readonly trigger?: { readonly field: string; readonly value: string };

  constructor(labels: LabelSelector, fields: FieldSelector, name: string | undefined) {
    this.#labels = labels;
    this.#fields = fields;
    if (name !== undefined) this.name = name;
    const namespace = fields.demanded('metadata.namespace');
    if (namespace !== undefined) this.namespace = namespace;
    for (const field of TRIGGERS) {
      const value = fields.demanded(field);
      if (value !== undefined) this.trigger = { field, value };
    }
  }

  matches(entry: StoredEntry): boolean {
    if (this.name !== undefined && entry.name !== this.name) return false;
    return this.#labels.matches(entry.labels) && this.#fields.matches((field) => entry.field(field));
  }
}

function understand<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof SelectorError) throw badRequestError(error.message);
    throw error;
  }
}
