import { objectAt } from '../../meta/fields.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import type { NamingProfile } from '../../names/profile.ts';
import type { ResourceHooks } from '../hooks.ts';
import { resourceNames } from '../resource-names.ts';
import { agreeOnDataSources } from './data-sources.ts';
import { fractionWarnings } from './fractions.ts';
import { claimStatusErrors } from './validate.ts';

/** Fields of a feature that is behind a gate: only objects that have them already keep them. */
const GATED_STATUS = ['currentVolumeAttributesClassName', 'modifyVolumeStatus'];

/** PersistentVolumeClaims start pending. */
export function persistentVolumeClaimHooks(names: NamingProfile): ResourceHooks {
  const snapshotGroup = names.get('group.snapshot-storage');
  const classAnnotation = names.get('storage.class-beta');
  const resources = resourceNames(names.get('prefix.resource'));
  return {
    keepsStatusOnCreate: true,
    prepareForCreate(claim) {
      claim['status'] = { phase: 'Pending' };
      prepareSpec(claim, undefined, snapshotGroup);
    },
    prepareForUpdate: (claim, old) => prepareSpec(claim, old, snapshotGroup),
    warnings: (claim) => warnings(claim, classAnnotation),
    status: {
      prepareForUpdate(claim, old) {
        for (const field of GATED_STATUS) dropNew(objectAt(claim, 'status'), objectAt(old, 'status'), field);
      },
      validateUpdate: (claim) => claimStatusErrors(claim, resources),
    },
  };
}

function prepareSpec(claim: ApiObject, old: ApiObject | undefined, snapshotGroup: string): void {
  const spec = objectAt(claim, 'spec');
  if (spec === undefined) return;
  const before = objectAt(old, 'spec');
  dropNew(spec, before, 'volumeAttributesClassName');
  agreeOnDataSources(spec, before, snapshotGroup);
}

/** Drops a field of a feature that is off, unless it was there before. */
export function dropNew(struct: JsonObject | undefined, old: JsonObject | undefined, field: string): void {
  if (struct?.[field] !== undefined && old?.[field] === undefined) delete struct[field];
}

function warnings(claim: ApiObject, classAnnotation: string): string[] {
  const texts: string[] = [];
  if (claim.metadata.annotations?.[classAnnotation] !== undefined) {
    texts.push(
      `metadata.annotations[${classAnnotation}]: deprecated since v1.8; use "storageClassName" attribute instead`,
    );
  }
  return [...texts, ...fractionWarnings(objectAt(claim, 'spec'), 'spec')];
}
