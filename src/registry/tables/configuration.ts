import { policyHooks } from '../admissionpolicy/hooks.ts';
import { apiServiceHooks } from '../apiservice/hooks.ts';
import { customResourceDefinitionHooks } from '../customresourcedefinition/hooks.ts';
import { flowControlHooks } from '../flowcontrol/hooks.ts';
import { leaseHooks } from '../lease/hooks.ts';
import { withStatusRules } from '../status-metadata.ts';
import { migrationStatusErrors } from '../storagemigration/validate.ts';
import { storageVersionStatusErrors } from '../storageversion/validate.ts';
import type { HooksTable, TableParts } from './parts.ts';

/** Kinds by which API servers are set up, and agree with each other. */
export function configurationTable({ names, pods }: TableParts): HooksTable {
  return {
    'admissionregistration.ValidatingAdmissionPolicy': policyHooks,
    'apiextensions.CustomResourceDefinition': customResourceDefinitionHooks(names),
    'apiregistration.APIService': apiServiceHooks,
    'apiserverinternal.StorageVersion': withStatusRules(storageVersionStatusErrors),
    'coordination.Lease': leaseHooks(pods.gate('CoordinatedLeaderElection')),
    'flowcontrol.FlowSchema': flowControlHooks,
    'flowcontrol.PriorityLevelConfiguration': flowControlHooks,
    'storagemigration.StorageVersionMigration': withStatusRules(migrationStatusErrors),
  };
}
