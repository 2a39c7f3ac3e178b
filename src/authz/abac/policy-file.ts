import type { Json, JsonObject } from '../../meta/object.ts';
import { ALL, AUTHENTICATED, type AttributePolicy } from './policy.ts';

/** What a policy file holds. */
export interface PolicyFile {
  readonly policies: readonly AttributePolicy[];
  /** How many lines are of the form without a version, which operators should replace. */
  readonly unversioned: number;
}

/**
 * Reads the policies of `--authorization-policy-file`: one JSON object a line, `{"apiVersion": "<group>/v1beta1", "kind":
 * "Policy", "spec": {…}}`, or the older form with the properties on the outside. Empty lines and those that begin with
 * `#` are skipped.
 *
 * @param group of the profile (`abac.authorization.…`). @throws Error that names the line.
 */
export function readPolicyFile(text: string, group: string): PolicyFile {
  const policies: AttributePolicy[] = [];
  let unversioned = 0;
  for (const [index, line] of text.split('\n').entries()) {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    try {
      const object = parseObject(trimmed);
      const versioned = isVersioned(object, group);
      policies.push(versioned ? currentPolicy(object) : unversionedPolicy(object));
      if (!versioned) unversioned++;
    } catch (cause) {
      throw new Error(`line ${index + 1}`, { cause });
    }
  }
  return { policies, unversioned };
}

function parseObject(line: string): JsonObject {
  const value = JSON.parse(line) as Json;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error('a policy is a JSON object');
  }
  return value;
}

/** @throws Error for another version or kind. */
function isVersioned(object: JsonObject, group: string): boolean {
  const apiVersion = text(object, 'apiVersion');
  const kind = text(object, 'kind');
  const known = [`${group}/v1beta1`, `${group}/v0`];
  if (apiVersion !== '' && !known.includes(apiVersion)) {
    throw new Error(`apiVersion must be ${known[0]}, not ${JSON.stringify(apiVersion)}`);
  }
  if (kind !== 'Policy' && (kind !== '' || apiVersion !== '')) {
    throw new Error(`kind must be Policy, not ${JSON.stringify(kind)}`);
  }
  return apiVersion === known[0];
}

function currentPolicy(object: JsonObject): AttributePolicy {
  const spec = object['spec'] ?? {};
  if (typeof spec !== 'object' || Array.isArray(spec)) throw new Error('spec must be an object');
  const policy = {
    ...subject(spec),
    apiGroup: text(spec, 'apiGroup'),
    resource: text(spec, 'resource'),
    namespace: text(spec, 'namespace'),
    nonResourcePath: text(spec, 'nonResourcePath'),
  };
  return isForAll(policy) ? { ...policy, user: '', group: AUTHENTICATED } : policy;
}

/** What it leaves out is everything. */
function unversionedPolicy(object: JsonObject): AttributePolicy {
  const policy = subject(object);
  const namespace = text(object, 'namespace');
  const resource = text(object, 'resource');
  const everybody = isForAll(policy) || (policy.user === '' && policy.group === '');
  return {
    ...policy,
    ...(everybody ? { user: '', group: AUTHENTICATED } : {}),
    apiGroup: ALL,
    resource: resource === '' ? ALL : resource,
    namespace: namespace === '' ? ALL : namespace,
    nonResourcePath: namespace === '' && resource === '' ? ALL : '',
  };
}

function subject(from: JsonObject): Pick<AttributePolicy, 'user' | 'group' | 'readonly'> {
  const readonly = from['readonly'] ?? false;
  if (typeof readonly !== 'boolean') throw new Error('readonly must be true or false');
  return { user: text(from, 'user'), group: text(from, 'group'), readonly };
}

/** All users are those who have shown who they are. */
function isForAll({ user, group }: { readonly user: string; readonly group: string }): boolean {
  return user === ALL || group === ALL;
}

function text(from: JsonObject, field: string): string {
  const value = from[field] ?? '';
  if (typeof value !== 'string') throw new Error(`${field} must be a string`);
  return value;
}
