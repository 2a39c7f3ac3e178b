import { humanDuration } from '../../lib/human-duration.ts';
import type { JsonObject } from '../../meta/object.ts';
import type { NamingProfile } from '../../names/profile.ts';
import { age, count, flag, integer, name, row, text, type Cell, type RowCells } from './cell.ts';
import { get, numberAt, objectAt, objectsAt, sizeOf, textAt } from '../../meta/fields.ts';
import { firstThree, formatSelector } from './format.ts';

function nodeStatus(node: JsonObject): string {
  const ready = objectsAt(objectAt(node, 'status'), 'conditions').findLast((c) => c.type === 'Ready');
  const status = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  return objectAt(node, 'spec')?.unschedulable === true ? `${status},SchedulingDisabled` : status;
}

/** Roles come from labels: `<prefix><role>`, or one label that names the role. */
function nodeRoles(prefix: string, roleLabel: string): Cell {
  return (node) => {
    const roles = new Set<string>();
    for (const [key, value] of Object.entries(objectAt(objectAt(node, 'metadata'), 'labels') ?? {})) {
      if (key.startsWith(prefix) && key.length > prefix.length) roles.add(key.slice(prefix.length));
      else if (key === roleLabel && typeof value === 'string' && value !== '') roles.add(value);
    }
    return [...roles].sort().join(',') || '<none>';
  };
}

function nodeAddress(type: string): Cell {
  return (node) => {
    const address = objectsAt(objectAt(node, 'status'), 'addresses').find((a) => a.type === type);
    return address === undefined ? '<none>' : textAt(address, 'address');
  };
}

const configMapData: Cell = (object) => sizeOf(object.data) + sizeOf(object.binaryData);

/** A quota's `resource: used/hard` pairs: those for limits, or all others. */
function quota(limits: boolean): Cell {
  return (object) => {
    const status = objectAt(object, 'status');
    const hard = objectAt(status, 'hard') ?? {};
    const used = objectAt(status, 'used');
    return Object.keys(hard)
      .sort()
      .filter((resource) => resource.startsWith('limits.') === limits)
      .map((resource) => `${resource}: ${textAt(used, resource) || '0'}/${textAt(hard, resource)}`)
      .join(', ');
  };
}

function componentCondition(object: JsonObject): JsonObject | undefined {
  return objectsAt(object, 'conditions').find((c) => c.type === 'Healthy');
}

function componentStatus(object: JsonObject): string {
  const healthy = componentCondition(object);
  if (healthy === undefined) return 'Unknown';
  return healthy.status === 'True' ? 'Healthy' : 'Unhealthy';
}

function paramKind(policy: JsonObject): string {
  const kind = objectAt(objectAt(policy, 'spec'), 'paramKind');
  return kind === undefined ? '<unset>' : `${textAt(kind, 'apiVersion')}/${textAt(kind, 'kind')}`;
}

function paramRef(binding: JsonObject): string {
  const ref = objectAt(objectAt(binding, 'spec'), 'paramRef');
  if (ref === undefined) return '<unset>';
  const refName = textAt(ref, 'name');
  if (refName !== '') return `${textAt(ref, 'namespace') || '*'}/${refName}`;
  return ref.selector === undefined ? '<unset>' : formatSelector(ref.selector, '');
}

function apiServiceBackend(object: JsonObject): string {
  const service = objectAt(objectAt(object, 'spec'), 'service');
  return service === undefined ? 'Local' : `${textAt(service, 'namespace')}/${textAt(service, 'name')}`;
}

function apiServiceAvailable(object: JsonObject): string {
  const available = objectsAt(objectAt(object, 'status'), 'conditions').find((c) => c.type === 'Available');
  if (available === undefined) return 'Unknown';
  const reason = textAt(available, 'reason');
  const status = textAt(available, 'status');
  return status === 'True' || reason === '' ? status : `${status} (${reason})`;
}

function requestedDuration(request: JsonObject): string {
  const seconds = objectAt(request, 'spec')?.expirationSeconds;
  return typeof seconds === 'number' ? humanDuration(seconds * 1000) : '<none>';
}

function requestCondition(request: JsonObject): string {
  const status = objectAt(request, 'status');
  const types = objectsAt(status, 'conditions').map((c) => c.type);
  const verdict = types.includes('Denied') ? 'Denied' : types.includes('Approved') ? 'Approved' : 'Pending';
  const failed = types.includes('Failed') ? ',Failed' : '';
  return `${verdict}${failed}${textAt(status, 'certificate') === '' ? '' : ',Issued'}`;
}

function intOrText(path: string, absent: string): Cell {
  const read = get(path);
  return (object) => {
    const value = read(object);
    return typeof value === 'number' || typeof value === 'string' ? String(value) : absent;
  };
}

function roleRef(binding: JsonObject): string {
  const ref = objectAt(binding, 'roleRef');
  return `${textAt(ref, 'kind')}/${textAt(ref, 'name')}`;
}

function subjects(kind: string): Cell {
  return (binding) =>
    objectsAt(binding, 'subjects')
      .filter((s) => s.kind === kind)
      .map((s) =>
        kind === 'ServiceAccount' ? `${textAt(s, 'namespace')}/${textAt(s, 'name')}` : textAt(s, 'name'),
      )
      .join(', ');
}

const bindingRow = row(name, roleRef, age, subjects('User'), subjects('Group'), subjects('ServiceAccount'));

function danglingPriorityLevel(schema: JsonObject): string {
  const condition = objectsAt(objectAt(schema, 'status'), 'conditions').find((c) => c.type === 'Dangling');
  return condition === undefined ? '?' : textAt(condition, 'status');
}

function claimState(claim: JsonObject): string {
  const deleted = objectAt(claim, 'metadata')?.deletionTimestamp != null;
  const status = objectAt(claim, 'status');
  const states = deleted ? ['deleted'] : [];
  if (objectAt(status, 'allocation') === undefined) {
    if (!deleted) states.push('pending');
  } else {
    states.push('allocated');
    if (sizeOf(status?.reservedFor) > 0) states.push('reserved');
  }
  return states.join(',');
}

function storageVersions(object: JsonObject): string {
  const servers = objectsAt(objectAt(object, 'status'), 'storageVersions');
  return (
    firstThree(servers.map((s) => `${textAt(s, 'apiServerID')}=${textAt(s, 'encodingVersion')}`)) || '<unset>'
  );
}

function migratedResource(object: JsonObject): string {
  const resource = objectAt(objectAt(object, 'spec'), 'resource');
  return `${textAt(resource, 'resource')}.${textAt(resource, 'version')}.${textAt(resource, 'group')}`;
}

const queuing = 'spec.limited.limitResponse.queuing';

/** `<none>` where a level isn't limited or doesn't queue; 0 where it does and the field is unset. */
function levelNumber(structPath: string, field: string): Cell {
  const read = get(structPath);
  return (object) => {
    const struct = read(object);
    if (typeof struct !== 'object' || struct === null || Array.isArray(struct)) return '<none>';
    return numberAt(struct, field);
  };
}

/** Rows of configuration and policy kinds, by package and kind. */
export function configurationCells(names: NamingProfile): Record<string, RowCells> {
  return {
    'core.Namespace': row(name, text('status.phase'), age),
    'core.Node': row(
      name,
      nodeStatus,
      nodeRoles(names.get('prefix.node-role'), names.get('label.node-role')),
      age,
      text('status.nodeInfo.kubeletVersion'),
      nodeAddress('InternalIP'),
      nodeAddress('ExternalIP'),
      text('status.nodeInfo.osImage', '<unknown>'),
      text('status.nodeInfo.kernelVersion', '<unknown>'),
      text('status.nodeInfo.containerRuntimeVersion', '<unknown>'),
    ),
    'core.ConfigMap': row(name, configMapData, age),
    'core.Secret': row(name, text('type'), count('data'), age),
    'core.ServiceAccount': row(name, count('secrets'), age),
    'core.ResourceQuota': row(name, age, quota(false), quota(true)),
    'core.ComponentStatus': row(
      name,
      componentStatus,
      (object) => textAt(componentCondition(object), 'message'),
      (object) => textAt(componentCondition(object), 'error'),
    ),
    'admissionregistration.MutatingWebhookConfiguration': row(name, count('webhooks'), age),
    'admissionregistration.ValidatingWebhookConfiguration': row(name, count('webhooks'), age),
    'admissionregistration.ValidatingAdmissionPolicy': row(name, count('spec.validations'), paramKind, age),
    'admissionregistration.ValidatingAdmissionPolicyBinding': row(
      name,
      text('spec.policyName'),
      paramRef,
      age,
    ),
    'admissionregistration.MutatingAdmissionPolicy': row(name, count('spec.mutations'), paramKind, age),
    'admissionregistration.MutatingAdmissionPolicyBinding': row(name, text('spec.policyName'), paramRef, age),
    'apiregistration.APIService': row(name, apiServiceBackend, apiServiceAvailable, age),
    'certificates.CertificateSigningRequest': row(
      name,
      age,
      text('spec.signerName', '<none>'),
      text('spec.username'),
      requestedDuration,
      requestCondition,
    ),
    'certificates.ClusterTrustBundle': row(name, text('spec.signerName', '<none>')),
    'coordination.Lease': row(name, text('spec.holderIdentity'), age),
    'coordination.LeaseCandidate': row(
      name,
      text('spec.leaseName'),
      text('spec.binaryVersion'),
      text('spec.emulationVersion'),
      age,
    ),
    'flowcontrol.FlowSchema': row(
      name,
      text('spec.priorityLevelConfiguration.name'),
      integer('spec.matchingPrecedence'),
      text('spec.distinguisherMethod.type', '<none>'),
      age,
      danglingPriorityLevel,
    ),
    'flowcontrol.PriorityLevelConfiguration': row(
      name,
      text('spec.type'),
      levelNumber('spec.limited', 'nominalConcurrencyShares'),
      levelNumber(queuing, 'queues'),
      levelNumber(queuing, 'handSize'),
      levelNumber(queuing, 'queueLengthLimit'),
      age,
    ),
    'apiserverinternal.StorageVersion': row(
      name,
      text('status.commonEncodingVersion', '<unset>'),
      storageVersions,
      age,
    ),
    'node.RuntimeClass': row(name, text('handler'), age),
    'policy.PodDisruptionBudget': row(
      name,
      intOrText('spec.minAvailable', 'N/A'),
      intOrText('spec.maxUnavailable', 'N/A'),
      integer('status.disruptionsAllowed'),
      age,
    ),
    'rbac.ClusterRoleBinding': bindingRow,
    'rbac.RoleBinding': bindingRow,
    'resource.DeviceClass': row(name, age),
    'resource.ResourceClaim': row(name, claimState, age),
    'resource.ResourceClaimTemplate': row(name, age),
    'resource.ResourceSlice': row(
      name,
      text('spec.nodeName'),
      text('spec.driver'),
      text('spec.pool.name'),
      age,
    ),
    'scheduling.PriorityClass': row(
      name,
      integer('value'),
      flag('globalDefault'),
      age,
      text('preemptionPolicy'),
    ),
    'storagemigration.StorageVersionMigration': row(name, migratedResource),
  };
}
