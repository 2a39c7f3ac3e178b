import { notFoundError } from '../../errors/status-errors.ts';
import type { ResourceDefinition } from '../../schema/model.ts';
import type { AdmissionPlugin } from '../admission.ts';

/** Whether there is a namespace: `cached` as of a moment ago, `live` as of now. */
export type HasNamespace = (
  name: string,
  freshness: 'cached' | 'live',
  signal: AbortSignal,
) => Promise<boolean>;

/** Refuses everything in namespaces that don't exist. */
export function namespaceExists(hasNamespace: HasNamespace): AdmissionPlugin {
  return {
    name: 'NamespaceExists',
    operations: ['CREATE', 'UPDATE', 'DELETE'],
    concerns: isNamespaced,
    async validate({ namespace, signal }) {
      if (namespace === '' || (await hasNamespace(namespace, 'cached', signal))) return;
      if (await hasNamespace(namespace, 'live', signal)) return;
      throw notFoundError({ group: '', resource: 'namespaces' }, namespace);
    },
  };
}

/** Makes the namespaces that something is created in. @param create doesn't fail where there is one */
export function namespaceAutoProvision(
  hasNamespace: HasNamespace,
  create: (name: string, signal: AbortSignal) => Promise<void>,
): AdmissionPlugin {
  return {
    name: 'NamespaceAutoProvision',
    operations: ['CREATE'],
    concerns: isNamespaced,
    async mutate({ namespace, dryRun, signal }) {
      if (namespace === '' || dryRun) return;
      if (!(await hasNamespace(namespace, 'cached', signal))) await create(namespace, signal);
    },
  };
}

function isNamespaced({ namespaced }: ResourceDefinition): boolean {
  return namespaced;
}
