import { objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { ApiObject } from '../../meta/object.ts';
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
  prepareForCreate(definition) {
    definition['status'] = { storedVersions: storageVersions(definition).slice(0, 1) };
  },
  prepareForUpdate(definition) {
    const status = objectAt(definition, 'status');
    const [version] = storageVersions(definition);
    if (status === undefined || version === undefined) return;
    const stored = Array.isArray(status['storedVersions']) ? status['storedVersions'] : [];
    if (!stored.includes(version)) status['storedVersions'] = [...stored, version];
  },
  status: { prepareForUpdate: () => undefined, resetFields: { 'f:metadata': {} } },
};

/** The versions that objects are said to be stored in: one, if the definition is right; the first counts. */
function storageVersions(definition: ApiObject): string[] {
  return objectsAt(objectAt(definition, 'spec'), 'versions')
    .filter((version) => version['storage'] === true)
    .map((version) => textAt(version, 'name'));
}
