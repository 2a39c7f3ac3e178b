import { duplicate, forbidden, invalid, type FieldError } from '../../errors/field-error.ts';
import { FieldPath } from '../../errors/field-path.ts';
import { numberAt, objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import { dnsSubdomainProblems, qualifiedNameProblems } from '../../meta/names.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import { FORMATS } from '../../schema/rules/formats.ts';

const NOTHING: JsonObject = Object.freeze({});
const STATUS = FieldPath.ROOT.child('status');
/** Conditions that the system sets; others have qualified names. */
const OWN_CONDITIONS: ReadonlySet<string> = new Set(['PodScheduled', 'Ready', 'Initialized']);

/** What an update of a pod's status may not do. */
export function podStatusErrors(pod: ApiObject, old: ApiObject): FieldError[] {
  const status = objectAt(pod, 'status') ?? NOTHING;
  const before = objectAt(old, 'status') ?? NOTHING;
  const spec = objectAt(pod, 'spec') ?? NOTHING;
  const policy = textAt(spec, 'restartPolicy');
  const errors: FieldError[] = [
    ...conditionErrors(status),
    ...nominationErrors(status, before),
    ...restartErrors(status, before, { list: 'containerStatuses', policy, restarted: new Set() }),
    ...restartErrors(status, before, { list: 'initContainerStatuses', policy, restarted: sidecarsOf(spec) }),
    ...restartErrors(status, before, {
      list: 'ephemeralContainerStatuses',
      policy: 'Never',
      restarted: new Set(),
    }),
    ...claimErrors(status, spec),
    ...addressErrors(status, 'podIPs'),
    ...hostAddressErrors(status),
    ...userErrors(status, spec),
  ];
  const qos = textAt(before, 'qosClass');
  if (textAt(status, 'qosClass') !== qos)
    errors.push(invalid(STATUS.child('qosClass'), status['qosClass'], 'field is immutable'));
  return errors;
}

/** The reference tells them at the metadata. */
function conditionErrors(status: JsonObject): FieldError[] {
  const path = FieldPath.ROOT.child('metadata').child('conditions');
  return objectsAt(status, 'conditions').flatMap((condition, i) => {
    const type = textAt(condition, 'type');
    if (OWN_CONDITIONS.has(type)) return [];
    return qualifiedNameProblems(type).map((problem) => invalid(path.index(i).child('Type'), type, problem));
  });
}

function nominationErrors(status: JsonObject, before: JsonObject): FieldError[] {
  const node = textAt(status, 'nominatedNodeName');
  if (node === '' || node === before['nominatedNodeName']) return [];
  return dnsSubdomainProblems(node).map((problem) =>
    invalid(STATUS.child('nominatedNodeName'), node, problem),
  );
}

interface Containers {
  readonly list: string;
  readonly policy: string;
  /** Those that are started again whatever the policy says. */
  readonly restarted: ReadonlySet<string>;
}

/** A container that has ended for good stays ended. */
function restartErrors(status: JsonObject, before: JsonObject, containers: Containers): FieldError[] {
  const { list, policy, restarted } = containers;
  if (policy === 'Always') return [];
  const now = objectsAt(status, list);
  return objectsAt(before, list).flatMap((old, i) => {
    const ended = objectAt(objectAt(old, 'state'), 'terminated');
    const name = textAt(old, 'name');
    if (ended === undefined || restarted.has(name)) return [];
    if (policy === 'OnFailure' && numberAt(ended, 'exitCode') !== 0) return [];
    const revived = now.filter((it) => it['name'] === name && objectAt(it, 'state')?.['terminated'] == null);
    return revived.map(() =>
      forbidden(STATUS.child(list).index(i).child('state'), 'the container has ended'),
    );
  });
}

function sidecarsOf(spec: JsonObject): Set<string> {
  const always = objectsAt(spec, 'initContainers').filter((it) => it['restartPolicy'] === 'Always');
  return new Set(always.map((container) => textAt(container, 'name')));
}

function claimErrors(status: JsonObject, spec: JsonObject): FieldError[] {
  const known = new Set(objectsAt(spec, 'resourceClaims').map((claim) => textAt(claim, 'name')));
  const seen = new Set<string>();
  return objectsAt(status, 'resourceClaimStatuses').flatMap((claim, i) => {
    const path = STATUS.child('resourceClaimStatuses').index(i).child('name');
    const name = textAt(claim, 'name');
    const errors = known.has(name) ? [] : [invalid(path, name, 'must be one of spec.resourceClaims')];
    if (seen.has(name)) errors.push(duplicate(path, name));
    seen.add(name);
    const made = textAt(claim, 'resourceClaimName');
    for (const problem of made === '' ? [] : dnsSubdomainProblems(made))
      errors.push(invalid(path, made, problem));
    return errors;
  });
}

/** One address, or one of each family. */
function addressErrors(status: JsonObject, list: 'podIPs' | 'hostIPs'): FieldError[] {
  const addresses = objectsAt(status, list).map((it) => textAt(it, 'ip'));
  const path = STATUS.child(list);
  const errors = addresses.flatMap((address, i) =>
    FORMATS.ip(address).map((problem) => invalid(path.index(i), address, problem)),
  );
  if (addresses.length < 2) return errors;
  const families = new Set(addresses.map((address) => address.includes(':')));
  if (families.size < 2 || addresses.length > 2)
    errors.push(invalid(path, addresses, 'may have one address of each family'));
  addresses.forEach((address, i) => {
    if (addresses.indexOf(address) < i) errors.push(duplicate(path.index(i), address));
  });
  return errors;
}

function hostAddressErrors(status: JsonObject): FieldError[] {
  const [first] = objectsAt(status, 'hostIPs');
  if (first === undefined) return [];
  const errors = addressErrors(status, 'hostIPs');
  if (textAt(first, 'ip') !== textAt(status, 'hostIP'))
    errors.push(invalid(STATUS.child('hostIPs').index(0).child('ip'), first['ip'], 'must be hostIP'));
  return errors;
}

const LISTS = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'];
const LARGEST_ID = 2 ** 31 - 1;

/** Who containers run as; on Windows nobody has a number. */
function userErrors(status: JsonObject, spec: JsonObject): FieldError[] {
  const isWindows = objectAt(spec, 'os')?.['name'] === 'windows';
  return LISTS.flatMap((list) =>
    objectsAt(status, list).flatMap((container, i) => {
      const user = objectAt(objectAt(container, 'user'), 'linux');
      const path = STATUS.child(list).index(i).child('linux');
      if (user === undefined) return [];
      if (isWindows) return [forbidden(path, 'is not for the system that the pod is for')];
      return idErrors(user, path);
    }),
  );
}

function idErrors(user: JsonObject, at: FieldPath): FieldError[] {
  const groups = user['supplementalGroups'];
  const ids: [FieldPath, unknown][] = [
    [at.child('uid'), user['uid'] ?? 0],
    [at.child('gid'), user['gid'] ?? 0],
    ...(Array.isArray(groups) ? groups : []).map((group, i): [FieldPath, unknown] => [
      at.child('supplementalGroups').index(i),
      group,
    ]),
  ];
  return ids.flatMap(([path, id]) =>
    typeof id === 'number' && (id < 0 || id > LARGEST_ID)
      ? [invalid(path, id, `must be between 0 and ${LARGEST_ID}, inclusive`)]
      : [],
  );
}
