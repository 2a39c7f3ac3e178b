import { invalid, notSupported, required, type FieldError } from '../../errors/field-error.ts';
import type { FieldPath } from '../../errors/field-path.ts';
import { objectAt, textAt } from '../../meta/fields.ts';
import { dnsSubdomainProblems, qualifiedNameProblems } from '../../meta/names.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import type { NamingProfile } from '../../names/profile.ts';
import type { TypeCheck } from '../../schema/rules/rule-book.ts';
import { checkAccessModes } from '../persistentvolume/access-modes.ts';
import { isPositive, VOLUME_MODES } from '../persistentvolume/validate.ts';
import { addProblems } from '../problems.ts';
import type { ResourceNames } from '../resource-names.ts';
import { claimChangeErrors } from './change.ts';
import { checkDataSources } from './data-sources.ts';

/** PersistentVolumeClaims of their own; those in StatefulSets are looked at when they are made. */
export function claimCheck(names: NamingProfile): TypeCheck {
  const classAnnotation = names.get('storage.class-beta');
  return (claim, at, { root, old, errors }) => {
    if (claim !== root) return;
    const before = objectAt(old, 'spec');
    const anyGroup = ['dataSource', 'dataSourceRef'].some(
      (field) => objectAt(before, field)?.['apiGroup'] !== undefined,
    );
    checkClaimSpec(objectAt(claim, 'spec') ?? {}, at.child('spec'), { errors, anyGroup });
    if (old !== undefined) errors.push(...claimChangeErrors(root, old, classAnnotation));
  };
}

/** Templates of claims in pods. */
export const claimTemplate: TypeCheck = (template, at, { errors }) => {
  checkClaimSpec(objectAt(template, 'spec') ?? {}, at.child('spec'), { errors, anyGroup: false });
};

interface ClaimContext {
  readonly errors: FieldError[];
  /** Whether the groups of data sources are left alone. */
  readonly anyGroup: boolean;
}

function checkClaimSpec(spec: JsonObject, at: FieldPath, context: ClaimContext): void {
  const { errors } = context;
  checkAccessModes(spec, at, errors);
  const amount = objectAt(objectAt(spec, 'resources'), 'requests')?.['storage'];
  const path = at.child('resources').key('storage');
  if (amount === undefined) errors.push(required(path));
  else if (!isPositive(amount)) errors.push(invalid(path, amount, 'must be greater than 0'));
  const storageClass = textAt(spec, 'storageClassName');
  if (storageClass !== '')
    addProblems(errors, at.child('storageClassName'), storageClass, dnsSubdomainProblems(storageClass));
  const mode = spec['volumeMode'];
  if (typeof mode === 'string' && !VOLUME_MODES.includes(mode))
    errors.push(notSupported(at.child('volumeMode'), mode, VOLUME_MODES));
  checkDataSources(spec, at, context);
}

const RESIZE_STATES = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
];

/** What is wrong with what a controller says of a claim. The paths are those that clients know. */
export function claimStatusErrors(claim: ApiObject, resources: ResourceNames): FieldError[] {
  const errors: FieldError[] = [];
  const status = objectAt(claim, 'status');
  const amounts = (field: string): [string, unknown][] => Object.entries(objectAt(status, field) ?? {});
  for (const [name, amount] of amounts('capacity')) {
    const path = `status.capacity[${name}]`;
    if (isNegative(amount)) errors.push(invalid(path, String(amount), 'must not be negative'));
  }
  for (const [name, state] of amounts('allocatedResourceStatuses')) {
    const path = 'status.allocatedResourceStatus';
    errors.push(...resourceErrors(name, path, resources));
    if (!RESIZE_STATES.includes(String(state))) errors.push(notSupported(path, name, RESIZE_STATES));
  }
  for (const [name, amount] of amounts('allocatedResources')) {
    const wrong = resourceErrors(name, 'status.allocatedResources', resources);
    errors.push(...wrong);
    const path = `status.allocatedResources[${name}]`;
    if (wrong.length === 0 && isNegative(amount))
      errors.push(invalid(path, String(amount), 'must not be negative'));
  }
  return errors;
}

function isNegative(amount: unknown): boolean {
  return typeof amount === 'string' && amount.startsWith('-');
}

/** Of the system's own resources, claims have storage and nothing else. */
function resourceErrors(name: string, path: string, resources: ResourceNames): FieldError[] {
  const errors: FieldError[] = [];
  addProblems(errors, path, name, qualifiedNameProblems(name));
  if (errors.length === 0 && resources.isNative(name) && name !== 'storage')
    errors.push(notSupported(path, name, ['storage']));
  return errors;
}
