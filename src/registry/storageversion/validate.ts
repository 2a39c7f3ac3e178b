import { duplicate, invalid, required, type FieldError } from '../../errors/field-error.ts';
import { objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import { dns1035LabelProblems, dnsSubdomainProblems, qualifiedNameProblems } from '../../meta/names.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import type { TypeCheck } from '../../schema/rules/rule-book.ts';
import { addProblems } from '../problems.ts';
import { textsOf } from '../webhookconfiguration/rules.ts';

/** StorageVersions are named for what is stored: a group and a resource. */
export const storageVersion: TypeCheck = (_, at, { root, old, errors }) => {
  if (old !== undefined) return;
  const name = root.metadata.name ?? '';
  const dot = name.lastIndexOf('.');
  const path = at.child('metadata').child('name');
  if (dot < 0) errors.push(invalid(path, name, "must be a group, '.' and a resource"));
  else addProblems(errors, path, name, dns1035LabelProblems(name.slice(dot + 1)));
};

/** What is wrong with what servers say of the versions that they store and read. */
export function storageVersionStatusErrors(object: ApiObject): FieldError[] {
  const errors: FieldError[] = [];
  const status = objectAt(object, 'status');
  const servers = objectsAt(status, 'storageVersions');
  const ids = new Set<string>();
  for (const [i, server] of servers.entries()) {
    const at = `status.storageVersions[${i}]`;
    const id = textAt(server, 'apiServerID');
    if (ids.has(id)) errors.push(duplicate(`${at}.apiServerID`, id));
    ids.add(id);
    checkServer(server, at, errors);
  }
  const [first, ...others] = servers.map((server) => textAt(server, 'encodingVersion'));
  const common = others.every((version) => version === first) ? first : undefined;
  const told = status?.['commonEncodingVersion'] ?? undefined;
  if (told !== common)
    errors.push(
      invalid('status.commonEncodingVersion', told, 'must be the version that all servers store, if any'),
    );
  checkConditions(objectsAt(status, 'conditions'), errors);
  return errors;
}

function checkServer(server: JsonObject, at: string, errors: FieldError[]): void {
  const id = textAt(server, 'apiServerID');
  const encoded = textAt(server, 'encodingVersion');
  const decodable = textsOf(server['decodableVersions']);
  addProblems(errors, `${at}.apiServerID`, id, dnsSubdomainProblems(id));
  checkVersion(encoded, `${at}.encodingVersion`, errors);
  for (const [i, version] of decodable.entries())
    checkVersion(version, `${at}.decodableVersions[${i}]`, errors);
  if (!decodable.includes(encoded))
    errors.push(invalid(`${at}.decodableVersions`, decodable, 'must have the encodingVersion'));
  for (const [i, version] of textsOf(server['servedVersions']).entries()) {
    const path = `${at}.servedVersions[${i}]`;
    checkVersion(version, path, errors);
    if (!decodable.includes(version)) errors.push(invalid(path, version, 'must be one of decodableVersions'));
  }
}

/** A version, perhaps after a group and a slash. */
function checkVersion(text: string, at: string, errors: FieldError[]): void {
  const parts = text.split('/');
  const [version = '', group] = parts.reverse();
  const isRight =
    parts.length <= 2 &&
    dns1035LabelProblems(version).length === 0 &&
    (group === undefined || dnsSubdomainProblems(group).length === 0);
  if (!isRight) errors.push(invalid(at, text, "must be a version, perhaps after a group and '/'"));
}

/** The paths are those that clients know. */
function checkConditions(conditions: readonly JsonObject[], errors: FieldError[]): void {
  const types = new Set<string>();
  for (const [i, condition] of conditions.entries()) {
    const at = `status[${i}]`;
    const type = textAt(condition, 'type');
    const status = textAt(condition, 'status');
    if (types.has(type)) errors.push(invalid(`${at}.type`, type, 'must be there once'));
    types.add(type);
    addProblems(errors, `${at}.type`, type, qualifiedNameProblems(type));
    addProblems(errors, `${at}.status`, status, qualifiedNameProblems(status));
    for (const field of ['reason', 'message'])
      if (textAt(condition, field) === '') errors.push(required(`${at}.${field}`));
  }
}
