import { forbidden, invalid, notSupported, required, type FieldError } from '../../../errors/field-error.ts';
import type { FieldPath } from '../../../errors/field-path.ts';
import { objectAt, textAt } from '../../../meta/fields.ts';
import type { Json, JsonObject } from '../../../meta/object.ts';
import { dnsSubdomainProblems } from '../../../meta/names.ts';
import type { TypeCheck } from '../../../schema/rules/rule-book.ts';
import type { Placed } from './container-lists.ts';

const LARGEST_CREDENTIALS = 64 * 1024;
const LONGEST_DOMAIN = 255;
const LONGEST_USER = 104;
// eslint-disable-next-line no-control-regex -- control characters are what it looks for
const CONTROL = /[\u0000-\u001f\u007f]/;
const NETBIOS = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const NOT_IN_USERS = /["/\\:;|=,+*?<>@[\]]/;

/** Who a container on Windows is. */
export const windowsOptionsCheck: TypeCheck = (options, at, { errors }) => {
  const credentials = options['gmsaCredentialSpec'];
  if (typeof credentials === 'string') {
    const path = at.child('gmsaCredentialSpec');
    if (credentials === '') errors.push(invalid(path, '', 'must not be empty'));
    else if (Buffer.byteLength(credentials) > LARGEST_CREDENTIALS)
      errors.push(invalid(path, '…', `must be no more than ${LARGEST_CREDENTIALS} bytes`));
  }
  const user = options['runAsUserName'];
  if (typeof user !== 'string') return;
  for (const problem of userNameProblems(user))
    errors.push(invalid(at.child('runAsUserName'), user, problem));
};

function userNameProblems(name: string): string[] {
  if (name === '') return ['must not be empty'];
  if (CONTROL.test(name)) return ['must not contain control characters'];
  const parts = name.split('\\');
  if (parts.length > 2) return ["must contain no more than one '\\'"];
  const [domain, user = ''] = parts.length === 2 ? parts : [undefined, parts[0]];
  const problems: string[] = [];
  if (domain !== undefined) {
    if (domain.length > LONGEST_DOMAIN)
      problems.push(`must have no more than ${LONGEST_DOMAIN} characters before '\\'`);
    if (!NETBIOS.test(domain) && dnsSubdomainProblems(domain).length > 0)
      problems.push("must have the name of a domain before '\\'");
  }
  if (user === '') problems.push('must name a user');
  if (user.length > LONGEST_USER)
    problems.push(`must have a user of no more than ${LONGEST_USER} characters`);
  if (/^[. ]+$/.test(user)) problems.push('must have a user of more than dots and spaces');
  if (NOT_IN_USERS.test(user)) problems.push('must have a user without any of "/\\:;|=,+*?<>@[]');
  return problems;
}

const SYSTEMS = ['linux', 'windows'];
/** Fields of a pod's spec that are only for Linux, and of its security context. */
const LINUX_SPEC = ['hostUsers', 'hostPID', 'hostIPC', 'shareProcessNamespace'];
const LINUX_POD = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'fsGroup',
  'fsGroupChangePolicy',
  'sysctls',
  'runAsUser',
  'runAsGroup',
  'supplementalGroups',
  'supplementalGroupsPolicy',
  'seLinuxChangePolicy',
];
/** Fields of a container's security context that are only for Linux. */
const LINUX_CONTAINER = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
];

/** A pod that says which system it is for has no fields of the other. @param at of the pod's spec. */
export function checkSystem(
  spec: JsonObject,
  at: FieldPath,
  containers: readonly Placed[],
  errors: FieldError[],
): void {
  const system = objectAt(spec, 'os');
  if (system === undefined) return;
  const name = textAt(system, 'name');
  if (name === '') errors.push(required(at.child('os').child('name')));
  else if (!SYSTEMS.includes(name)) errors.push(notSupported(at.child('os'), name, SYSTEMS));
  else {
    const isWindows = name === 'windows';
    if (isWindows) forbid(spec, LINUX_SPEC, at, errors);
    const context = { of: 'securityContext', fields: isWindows ? LINUX_POD : ['windowsOptions'] };
    forbid(objectAt(spec, context.of), context.fields, at.child(context.of), errors);
    const fields = isWindows ? LINUX_CONTAINER : ['windowsOptions'];
    for (const { container, at: path } of containers)
      forbid(objectAt(container, 'securityContext'), fields, path.child('securityContext'), errors);
  }
}

function forbid(
  struct: JsonObject | undefined,
  fields: readonly string[],
  at: FieldPath,
  errors: FieldError[],
): void {
  if (struct === undefined) return;
  for (const field of fields) {
    const value = struct[field];
    if (value == null || isNothing(field, value)) continue;
    errors.push(forbidden(at.child(field), 'is not for the system that the pod is for'));
  }
}

/** What no pointer would say. */
function isNothing(field: string, value: Json): boolean {
  if (field === 'hostPID' || field === 'hostIPC') return value === false;
  return field === 'sysctls' && Array.isArray(value) && value.length === 0;
}

/** Containers that are processes of a Windows node: all of them or none, on the node's network. @param at of the spec. */
export function checkHostProcess(
  spec: JsonObject,
  { at, allowsPrivileged }: { readonly at: FieldPath; readonly allowsPrivileged: boolean },
  containers: readonly Placed[],
  errors: FieldError[],
): void {
  const ofPod = hostProcessOf(spec);
  let count = 0;
  for (const { container, at: path } of containers) {
    const own = hostProcessOf(container);
    if (own ?? ofPod) count++;
    if (own !== undefined && ofPod !== undefined && own !== ofPod) {
      const field = path.child('securityContext').child('windowsOptions').child('hostProcess');
      errors.push(invalid(field, own, `must be that of the pod, ${ofPod}`));
    }
  }
  if (count === 0) return;
  if (count !== containers.length)
    errors.push(invalid(at, '', 'all containers must be host processes, or none'));
  if (spec['hostNetwork'] !== true)
    errors.push(invalid(at.child('hostNetwork'), false, 'must be true where containers are host processes'));
  if (!allowsPrivileged) errors.push(forbidden(at, 'this cluster allows no host processes'));
}

function hostProcessOf(owner: JsonObject): boolean | undefined {
  const value = objectAt(objectAt(owner, 'securityContext'), 'windowsOptions')?.['hostProcess'];
  return typeof value === 'boolean' ? value : undefined;
}
