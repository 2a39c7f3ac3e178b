import { duplicate, forbidden, internal, invalid, notSupported, required } from '../../errors/field-error.ts';
import type { FieldError } from '../../errors/field-error.ts';
import { FieldPath } from '../../errors/field-path.ts';
import { parseCidr } from '../../lib/cidr.ts';
import { isObject, objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import { labelValueProblems, qualifiedNameProblems } from '../../meta/names.ts';
import type { ApiObject, Json, JsonObject } from '../../meta/object.ts';
import { sameJson } from '../../meta/same-json.ts';
import type { NamingProfile } from '../../names/profile.ts';
import { FORMATS } from '../../schema/rules/formats.ts';
import type { TypeCheck } from '../../schema/rules/rule-book.ts';
import { addProblems } from '../problems.ts';
import { resourceNames, type ResourceNames } from '../resource-names.ts';

const METADATA = FieldPath.ROOT.child('metadata');
const SPEC = FieldPath.ROOT.child('spec');
const STATUS = FieldPath.ROOT.child('status');

/** Rules for Nodes. The paths of taints and amounts are those that clients know, which aren't where the fields are. */
export interface NodeRules {
  /** For new nodes and all changes. */
  readonly check: TypeCheck;
  /** For what is written through the status. */
  statusErrors(node: ApiObject, old: ApiObject): FieldError[];
}

export function nodeRules(names: NamingProfile): NodeRules {
  const resources = resourceNames(names.get('prefix.resource'));
  const annotations = {
    taints: names.get('annotation.taints'),
    avoid: names.get('annotation.prefer-avoid-pods'),
  };
  const both = (node: ApiObject): FieldError[] => {
    const errors = annotationErrors(node, annotations);
    checkTaints(objectsAt(objectAt(node, 'spec'), 'taints'), METADATA.child('taints'), errors);
    const status = objectAt(node, 'status');
    for (const field of ['capacity', 'allocatable']) checkAmounts(status, field, { resources, errors });
    return errors;
  };
  return {
    check(_, __, { root, old, errors }) {
      for (const error of both(root)) errors.push(error);
      checkRanges(objectAt(root, 'spec')?.['podCIDRs'], errors);
      if (old !== undefined) errors.push(...changeErrors(root, old));
    },
    statusErrors: (node, old) => [...both(node), ...changeErrors(node, old)],
  };
}

interface NodeAnnotations {
  readonly taints: string;
  readonly avoid: string;
}

/** Older ways to say what a node keeps away. */
function annotationErrors({ metadata }: ApiObject, { taints, avoid }: NodeAnnotations): FieldError[] {
  const errors: FieldError[] = [];
  const at = METADATA.child('annotations');
  const tainted = metadata.annotations?.[taints] ?? '';
  if (tainted !== '') {
    const list = readJson(tainted);
    if (!Array.isArray(list)) errors.push(invalid(at, taints, 'must be a list of taints, as JSON'));
    else checkTaints(list.filter(isObject), at.child(taints), errors);
  }
  const avoided = metadata.annotations?.[avoid] ?? '';
  if (avoided !== '') {
    const wanted = readJson(avoided);
    if (!isObject(wanted)) errors.push(invalid(at.child('AvoidPods'), avoid, 'must be an object, as JSON'));
    else checkAvoided(objectsAt(wanted, 'preferAvoidPods'), at.child(avoid), errors);
  }
  return errors;
}

function readJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function checkAvoided(entries: readonly JsonObject[], at: FieldPath, errors: FieldError[]): void {
  for (const [i, entry] of entries.entries()) {
    const signature = at.index(i).child('PodSignature');
    const controller = objectAt(objectAt(entry, 'podSignature'), 'podController');
    if (controller === undefined) errors.push(required(signature));
    else if (controller['controller'] !== true) {
      const path = signature.child('PodController').child('Controller');
      errors.push(invalid(path, controller['controller'], 'must be a controller'));
    }
  }
}

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** Taints: one of each key and effect. */
function checkTaints(taints: readonly JsonObject[], at: FieldPath, errors: FieldError[]): void {
  const seen = new Set<string>();
  for (const [i, taint] of taints.entries()) {
    const path = at.index(i);
    const [key, value, effect] = ['key', 'value', 'effect'].map((field) => textAt(taint, field)) as [
      string,
      string,
      string,
    ];
    addProblems(errors, path.child('key'), key, qualifiedNameProblems(key));
    addProblems(errors, path.child('value'), value, labelValueProblems(value));
    if (effect === '') errors.push(required(path.child('effect')));
    else if (!EFFECTS.includes(effect)) errors.push(notSupported(path.child('effect'), effect, EFFECTS));
    const identity = `${effect} ${key}`;
    if (seen.has(identity)) errors.push(duplicate(path, taint));
    seen.add(identity);
  }
}

function checkAmounts(
  status: JsonObject | undefined,
  field: string,
  { resources, errors }: { readonly resources: ResourceNames; readonly errors: FieldError[] },
): void {
  for (const [name, amount] of Object.entries(objectAt(status, field) ?? {})) {
    if (typeof amount !== 'string') continue;
    errors.push(...resources.amountErrors(name, amount, String(STATUS.child(field).child(name))));
  }
}

/** The addresses of a node's pods: one range, or one of each family. */
function checkRanges(ranges: Json | undefined, errors: FieldError[]): void {
  if (!Array.isArray(ranges)) return;
  const at = SPEC.child('podCIDRs');
  const texts = ranges.map((range) => (typeof range === 'string' ? range : ''));
  for (const [i, text] of texts.entries()) addProblems(errors, at.index(i), text, FORMATS.cidr(text));
  if (texts.length < 2) return;
  const families = texts.map((text) => parseCidr(text)?.bits);
  if (families.includes(undefined)) errors.push(internal(at, 'not all of it are ranges of addresses'));
  if (texts.length > 2 || families.includes(undefined) || families[0] === families[1]) {
    errors.push(invalid(at, ranges, 'may hold one range of each family'));
  }
  for (const [i, text] of texts.entries())
    if (texts.indexOf(text) < i) errors.push(duplicate(at.index(i), text));
}

/** What is set once stays. */
function changeErrors(node: ApiObject, old: ApiObject): FieldError[] {
  const errors: FieldError[] = [];
  const spec = objectAt(node, 'spec');
  const before = objectAt(old, 'spec');
  checkAddresses(node, errors);
  const ranges = rangesOf(before);
  if (ranges.length > 0 && !sameJson([...ranges], [...rangesOf(spec)])) {
    errors.push(forbidden(SPEC.child('podCIDRs'), 'may be set once'));
  }
  const provider = textAt(before, 'providerID');
  if (provider !== '' && provider !== textAt(spec, 'providerID')) {
    errors.push(forbidden(SPEC.child('providerID'), 'may be set once'));
  }
  if (textAt(before, 'externalID') !== textAt(spec, 'externalID')) {
    errors.push(forbidden(SPEC.child('externalID'), 'may not be changed'));
  }
  return errors;
}

function rangesOf(spec: JsonObject | undefined): readonly Json[] {
  const ranges = spec?.['podCIDRs'];
  return Array.isArray(ranges) ? ranges : [];
}

function checkAddresses(node: ApiObject, errors: FieldError[]): void {
  const seen = new Set<string>();
  for (const [i, address] of objectsAt(objectAt(node, 'status'), 'addresses').entries()) {
    const identity = `${textAt(address, 'type')} ${textAt(address, 'address')}`;
    if (seen.has(identity)) errors.push(duplicate(STATUS.child('addresses').index(i), address));
    seen.add(identity);
  }
}
