import {
  duplicate,
  forbidden,
  invalid,
  notSupported,
  required,
  tooLong,
  type FieldError,
} from '../../../errors/field-error.ts';
import type { FieldPath } from '../../../errors/field-path.ts';
import { objectAt, textAt } from '../../../meta/fields.ts';
import type { JsonObject } from '../../../meta/object.ts';
import type { CheckContext, TypeCheck } from '../../../schema/rules/rule-book.ts';
import { FORMATS } from '../../../schema/rules/formats.ts';
import { itemsOf } from './container-lists.ts';

const PROFILE_TYPES = ['Localhost', 'RuntimeDefault', 'Unconfined'];
const LONGEST_PATH = 4095;

/** A profile of system calls: only one on the node has a path. */
export const seccompProfileCheck: TypeCheck = (profile, at, { errors }) => {
  checkProfileType(profile, at, errors);
  const path = profile['localhostProfile'];
  if (profile['type'] !== 'Localhost') {
    if (path != null) errors.push(invalid(at.child('localhostProfile'), path, 'is for type Localhost only'));
  } else if (typeof path !== 'string')
    errors.push(required(at.child('localhostProfile'), 'type is Localhost'));
  else {
    for (const problem of FORMATS.relativePath(path))
      errors.push(invalid(at.child('localhostProfile'), path, problem));
  }
};

/** A profile of AppArmor: only one on the node has a name. */
export const appArmorProfileCheck: TypeCheck = (profile, at, { errors }) => {
  checkProfileType(profile, at, errors);
  const name = profile['localhostProfile'];
  const path = at.child('localhostProfile');
  if (profile['type'] === 'Localhost') {
    const text = typeof name === 'string' ? name : '';
    if (text.trim() !== text) errors.push(invalid(path, text, 'must not begin or end with white space'));
    else if (text === '') errors.push(required(path, 'type is Localhost'));
    if (Buffer.byteLength(text) > LONGEST_PATH) errors.push(tooLong(path, LONGEST_PATH));
  } else if (name != null && PROFILE_TYPES.includes(textAt(profile, 'type')))
    errors.push(invalid(path, name, 'is for type Localhost only'));
};

function checkProfileType(profile: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const type = textAt(profile, 'type');
  if (type === '') errors.push(required(at.child('type')));
  else if (!PROFILE_TYPES.includes(type)) errors.push(notSupported(at.child('type'), type, PROFILE_TYPES));
}

/** What a container may do. @param allowsPrivileged whether any may be privileged. */
export function securityContextCheck(allowsPrivileged: boolean): TypeCheck {
  return function checkSecurityContext(context, at, { errors }) {
    const isPrivileged = context['privileged'] === true;
    if (isPrivileged && !allowsPrivileged)
      errors.push(forbidden(at.child('privileged'), 'this cluster allows no privileged containers'));
    if (context['allowPrivilegeEscalation'] !== false) return;
    if (isPrivileged)
      errors.push(invalid(at, context, 'what is privileged can not be without allowPrivilegeEscalation'));
    const added = objectAt(context, 'capabilities')?.['add'];
    if (Array.isArray(added) && added.includes('CAP_SYS_ADMIN'))
      errors.push(invalid(at, context, 'CAP_SYS_ADMIN can not be without allowPrivilegeEscalation'));
  };
}

/** What a pod's security context may be beside the pod's other fields. @param at of the pod's spec. */
export function checkPodSecurity(spec: JsonObject, at: FieldPath, checking: CheckContext): void {
  const { errors } = checking;
  const context = objectAt(spec, 'securityContext');
  if (spec['shareProcessNamespace'] === true && spec['hostPID'] === true) {
    const path = at.child('securityContext').child('shareProcessNamespace');
    errors.push(invalid(path, true, 'may not be set together with hostPID'));
  }
  if (context?.['sysctls'] !== undefined) checkSysctls(spec, context, at, checking);
  if (spec['hostUsers'] !== false) return;
  const hostFields = { hostNetwork: 'hostNetwork', hostPID: 'HostPID', hostIPC: 'HostIPC' };
  for (const [field, told] of Object.entries(hostFields)) {
    if (spec[field] === true)
      errors.push(forbidden(at.child(told), 'may not be set where hostUsers is false'));
  }
}

const LONGEST_SYSCTL = 253;
const SYSCTL = /^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/;
/** Kernel parameters that all processes with the same IPC namespace share. */
const OF_IPC =
  /^(kernel\.(sem|shm|shmall|shmmax|shmmni|shm_rmid_forced|msg|msgmax|msgmnb|msgmni)|fs\.mqueue\..*)$/;
const OF_NETWORK = /^net\./;

function checkSysctls(
  spec: JsonObject,
  context: JsonObject,
  at: FieldPath,
  { errors, tolerates }: CheckContext,
): void {
  const path = at.child('securityContext').child('sysctls');
  const seen = new Set<string>();
  itemsOf(context['sysctls']).forEach((sysctl, i) => {
    const name = textAt(sysctl, 'name');
    const named = path.index(i).child('name');
    if (name === '') errors.push(required(named));
    else if (name.length > LONGEST_SYSCTL || !SYSCTL.test(name))
      errors.push(invalid(named, name, 'must be the name of a kernel parameter, such as net.core.somaxconn'));
    else if (seen.has(name)) errors.push(duplicate(named, name));
    seen.add(name);
    const shared = sharedWith(spec, dottedName(name));
    if (shared !== undefined && !tolerates('sharedSysctl'))
      errors.push(invalid(named, name, `would be set for the whole node: ${shared} is true`));
  });
}

/** By which field a pod shares with its node what a kernel parameter is about. */
function sharedWith(spec: JsonObject, dotted: string): string | undefined {
  if (spec['hostNetwork'] === true && OF_NETWORK.test(dotted)) return 'hostNetwork';
  return spec['hostIPC'] === true && OF_IPC.test(dotted) ? 'hostIPC' : undefined;
}

/** Where slashes come first they separate, and dots belong to the parts. */
function dottedName(name: string): string {
  const first = /[./]/.exec(name)?.[0];
  return first === '/' ? name.replace(/[./]/g, (c) => (c === '/' ? '.' : '/')) : name;
}
