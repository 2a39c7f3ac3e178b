import { objectAt, textAt } from '../../meta/fields.ts';
import type { JsonObject } from '../../meta/object.ts';
import type { Reference } from './graph.ts';

/** Sources whose secret is in the claim's namespace where they name none. */
const IN_CLAIMS_NAMESPACE: ReadonlySet<string> = new Set(['cephfs', 'flexVolume', 'iscsi', 'rbd', 'scaleIO']);

/** Which of a source's secrets a node needs; those of the control plane's side are none of its business. */
const SECRETS: readonly (readonly [source: string, fields: readonly string[]])[] = [
  ['cephfs', ['secretRef']],
  ['cinder', ['secretRef']],
  ['csi', ['nodePublishSecretRef', 'nodeStageSecretRef', 'nodeExpandSecretRef']],
  ['flexVolume', ['secretRef']],
  ['iscsi', ['secretRef']],
  ['rbd', ['secretRef']],
  ['scaleIO', ['secretRef']],
  ['storageos', ['secretRef']],
];

/** The secrets that a node needs to mount a persistent volume. @param claimNamespace of the claim that has it. */
export function volumeSecrets(volume: JsonObject, claimNamespace: string): Reference[] {
  const spec = objectAt(volume, 'spec');
  const found: Reference[] = [];
  const add = (namespace: string, name: string): void => {
    if (name !== '') found.push({ type: 'secret', namespace, name });
  };
  for (const [source, fields] of SECRETS) {
    for (const field of fields) {
      const secret = objectAt(objectAt(spec, source), field);
      const elsewhere = IN_CLAIMS_NAMESPACE.has(source) ? claimNamespace : '';
      add(textAt(secret, 'namespace') || elsewhere, textAt(secret, 'name'));
    }
  }
  const azure = objectAt(spec, 'azureFile');
  add(textAt(azure, 'secretNamespace') || claimNamespace, textAt(azure, 'secretName'));
  return found;
}
