import { defineDescriber } from '../describer.ts';
import type { Description } from '../description.ts';
import type { Amounts, Claim, Described, JsonObject, Pod } from '../objects.ts';
import { accessModeText, lifeText, storageClassOf, writeClaim } from '../parts/claim.ts';
import { writeConditions } from '../parts/conditions.ts';
import { writeLabels, writeValues } from '../parts/metadata.ts';
import { writePersistentSource } from '../parts/volumes.ts';
import type { World } from '../world.ts';

interface NodeRequirement {
  readonly key?: string;
  readonly operator?: string;
  readonly values?: readonly string[];
}

interface VolumeSpec {
  readonly storageClassName?: string;
  readonly claimRef?: { readonly namespace?: string; readonly name?: string };
  readonly persistentVolumeReclaimPolicy?: string;
  readonly accessModes?: readonly string[];
  readonly volumeMode?: string;
  readonly capacity?: Amounts;
  readonly nodeAffinity?: {
    readonly required?: {
      readonly nodeSelectorTerms?: readonly { readonly matchExpressions?: readonly NodeRequirement[] }[];
    };
  };
}

interface PersistentVolume extends Described {
  readonly spec?: VolumeSpec;
  readonly status?: { readonly phase?: string; readonly message?: string };
}

export const persistentVolumeClaim = defineDescriber<Claim>({
  async write(page, claim, world) {
    writeClaim(page, claim, { world, whole: true });
    writeValues(page, 'Used By', await podsUsing(claim, world));
    writeConditions(page, claim.status?.conditions, {
      columns: ['type', 'status', 'probed', 'changed', 'reason', 'message'],
      spaced: 5,
    });
  },
});

/** Names of the pods that mount a claim, or that it was made for. */
async function podsUsing({ metadata }: Claim, world: World): Promise<string[]> {
  const { name, namespace, ownerReferences = [] } = metadata;
  const owners = ownerReferences.filter(({ kind }) => kind === 'Pod').map(({ uid }) => uid);
  const pods = await world.list<Pod>({ group: '', kind: 'Pod' }, { namespace });
  return pods
    .filter(
      ({ metadata: { uid }, spec }) =>
        owners.includes(uid) ||
        (spec?.volumes ?? []).some((volume) => {
          const source = volume['persistentVolumeClaim'] as { claimName?: string } | undefined;
          return source?.claimName === name;
        }),
    )
    .map((pod) => pod.metadata.name ?? '')
    .sort();
}

export const persistentVolume = defineDescriber<PersistentVolume>({
  write(page, { metadata, spec = {}, status = {} }, world) {
    page.row('Name', metadata.name ?? '');
    writeLabels(page, metadata, world);
    page.row('Finalizers', `[${(metadata.finalizers ?? []).join(' ')}]`);
    page.row('StorageClass', storageClassOf(metadata.annotations, spec.storageClassName, world));
    page.row('Status', lifeText(metadata.deletionTimestamp, status.phase, world));
    const { claimRef } = spec;
    page.row('Claim', claimRef === undefined ? '' : `${claimRef.namespace ?? ''}/${claimRef.name ?? ''}`);
    page.row('Reclaim Policy', spec.persistentVolumeReclaimPolicy ?? '');
    page.row('Access Modes', accessModeText(spec.accessModes));
    if (spec.volumeMode !== undefined) page.row('VolumeMode', spec.volumeMode);
    page.row('Capacity', spec.capacity?.['storage'] ?? '0');
    writeNodeAffinity(page, spec);
    page.row('Message', status.message ?? '');
    page.line('Source:');
    writePersistentSource(page, spec as JsonObject, world);
  },
});

function writeNodeAffinity(page: Description, { nodeAffinity }: VolumeSpec): void {
  page.text('Node Affinity:\t');
  if (nodeAffinity?.required === undefined) return page.end('<none>');
  page.end();
  const { nodeSelectorTerms = [] } = nodeAffinity.required;
  page.text('Required Terms:\t', 1);
  if (nodeSelectorTerms.length === 0) return page.end('<none>');
  page.end();
  for (const [i, { matchExpressions = [] }] of nodeSelectorTerms.entries()) {
    writeValues(page, `Term ${i}`, matchExpressions.map(requirementText), 2);
  }
}

function requirementText({ key = '', operator = '', values = [] }: NodeRequirement): string {
  const text = `${key} ${operator.toLowerCase()}`;
  return values.length === 0 ? text : `${text} [${values.join(', ')}]`;
}
