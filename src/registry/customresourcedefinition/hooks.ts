import { objectAt, textAt } from '../../meta/fields.ts';
import type { ResourceHooks } from '../hooks.ts';

/** CustomResourceDefinitions: names that follow from the kind; status updates change metadata and own none of it. */
export const customResourceDefinitionHooks: ResourceHooks = {
  defaults(definition) {
    const names = objectAt(objectAt(definition, 'spec'), 'names');
    const kind = textAt(names, 'kind');
    if (names === undefined || kind === '') return;
    if (textAt(names, 'singular') === '') names.singular = kind.toLowerCase();
    if (textAt(names, 'listKind') === '') names.listKind = `${kind}List`;
  },
  status: { prepareForUpdate: () => undefined, resetFields: { 'f:metadata': {} } },
};
