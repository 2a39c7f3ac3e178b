import { rowOf, type Controller } from '../controller.ts';
import { keepInEachNamespace } from '../in-each-namespace.ts';

/** The account of pods that name none. */
const DEFAULT_ACCOUNT = 'default';

/** Makes the default service account of every namespace, also anew when it was deleted. */
export const serviceAccountController: Controller = {
  name: 'serviceaccount-controller',
  start(parts) {
    const resource = rowOf(parts.schemas, ['', 'v1', 'serviceaccounts']);
    return keepInEachNamespace(parts, { resource, name: DEFAULT_ACCOUNT, make: () => ({}) });
  },
};
