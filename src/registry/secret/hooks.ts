import { invalid, required, tooLong, type FieldError } from '../../errors/field-error.ts';
import type { ApiObject, Json, JsonObject } from '../../meta/object.ts';
import type { NamingProfile } from '../../names/profile.ts';
import { base64Bytes, checkImmutable, checkKeys, MAX_DATA_BYTES } from '../configmap/hooks.ts';
import { isObject, objectAt, textAt } from '../../meta/fields.ts';
import type { ResourceHooks } from '../hooks.ts';
import { keyPairWarnings } from './key-pair.ts';

/** Secrets: plain text is taken in, types demand their keys and stay. */
export function secretHooks(names: NamingProfile): ResourceHooks {
  const requiredKeys = keysOfTypes(names);
  const accountName = names.get('annotation.service-account-name');
  const accountToken = names.get('secretType.service-account-token');
  const tls = names.get('secretType.tls');
  return {
    defaults: takeStringData,
    validate(secret) {
      const data = objectAt(secret, 'data') ?? {};
      const errors = checkKeys('data', data);
      if (base64Bytes(data) > MAX_DATA_BYTES) errors.push(tooLong('data', MAX_DATA_BYTES));
      const type = textAt(secret, 'type');
      if (type === accountToken && !secret.metadata.annotations?.[accountName]) {
        errors.push(required(`metadata.annotations[${accountName}]`));
      }
      return [...errors, ...checkRequiredKeys(data, requiredKeys.get(type))];
    },
    validateUpdate(secret, old) {
      const errors = checkImmutable(secret, old, ['data']);
      if (secret.type !== old.type) errors.push(invalid('type', secret.type, 'field is immutable'));
      return errors;
    },
    warnings: (secret) => (textAt(secret, 'type') === tls ? keyPairWarnings(objectAt(secret, 'data')) : []),
  };
}

/** `stringData` is for writing only: its values replace those of `data`. */
function takeStringData(secret: ApiObject): void {
  const { stringData } = secret;
  if (stringData === undefined) return;
  delete secret.stringData;
  if (!isObject(stringData) || Object.keys(stringData).length === 0) return;
  const data: JsonObject = isObject(secret.data) ? secret.data : {};
  for (const [key, value] of Object.entries(stringData)) {
    if (typeof value === 'string') data[key] = Buffer.from(value).toString('base64');
  }
  secret.data = data;
}

/** Keys that a type demands: all of them, or one of them. */
interface RequiredKeys {
  readonly keys: readonly string[];
  readonly any?: true;
  /** The value is a JSON object. */
  readonly json?: true;
  /** The value isn't empty. */
  readonly filled?: true;
}

function keysOfTypes(names: NamingProfile): ReadonlyMap<string, RequiredKeys> {
  return new Map<string, RequiredKeys>([
    [names.get('secretType.dockercfg'), { keys: ['.dockercfg'], json: true }],
    [names.get('secretType.dockerconfigjson'), { keys: ['.dockerconfigjson'], json: true }],
    [names.get('secretType.basic-auth'), { keys: ['username', 'password'], any: true }],
    [names.get('secretType.ssh-auth'), { keys: ['ssh-privatekey'], filled: true }],
    [names.get('secretType.tls'), { keys: ['tls.crt', 'tls.key'] }],
  ]);
}

function checkRequiredKeys(data: JsonObject, rule: RequiredKeys | undefined): FieldError[] {
  if (rule === undefined) return [];
  const isMissing = (key: string): boolean =>
    !Object.hasOwn(data, key) || (rule.filled === true && data[key] === '');
  const missing = rule.keys.filter(isMissing);
  if (rule.any === true && missing.length < rule.keys.length) return [];
  const errors = missing.map((key) => required(`data[${key}]`));
  if (rule.json === true && missing.length === 0) {
    for (const key of rule.keys) {
      if (!isJsonObject(textAt(data, key)))
        errors.push(invalid(`data[${key}]`, '<secret contents redacted>', 'must be a JSON object'));
    }
  }
  return errors;
}

function isJsonObject(base64: string): boolean {
  try {
    const value = JSON.parse(Buffer.from(base64, 'base64').toString()) as Json;
    return value === null || isObject(value);
  } catch {
    return false;
  }
}
