import { invalid, required, type FieldError } from '../../errors/field-error.ts';
import type { FieldPath } from '../../errors/field-path.ts';
import { numberAt, objectAt, textAt } from '../../meta/fields.ts';
import { dnsSubdomainProblems, qualifiedNameProblems } from '../../meta/names.ts';
import type { ApiObject, Json, JsonObject } from '../../meta/object.ts';
import { sameJson } from '../../meta/same-json.ts';
import type { NamingProfile } from '../../names/profile.ts';
import type { CheckContext, TypeCheck } from '../../schema/rules/rule-book.ts';
import { convertEvent } from '../convert/event.ts';
import { addProblems } from '../problems.ts';

const DEFAULT_NAMESPACE = 'default';
const MAX_TEXT = 128;
const MAX_MESSAGE = 1024;

/** Events of the core group, which ask little of older ones: those without a time of their own. */
export function coreEventCheck(names: NamingProfile): TypeCheck {
  return (event, at, context) => checkEvent(event, { at, context, names, reporter: 'reportingComponent' });
}

/** Events of their own group: new ones have everything, and nothing of what was once; later, only the series changes. */
export function eventCheck(names: NamingProfile): TypeCheck {
  return (object, at, context) => {
    const event = asCore(object);
    checkEvent(event, { at, context, names, reporter: 'reportingController' });
    const { root, old, errors } = context;
    if (old === undefined) checkNew(event, root, errors);
    else checkChange(event, asCore(old), { at, errors });
  };
}

/** The same event with the names of the core group, by which clients know what is wrong. */
function asCore(event: JsonObject): JsonObject {
  const copy = { ...event };
  convertEvent(copy, 'core');
  return copy;
}

interface EventContext {
  readonly at: FieldPath;
  readonly context: CheckContext;
  readonly names: NamingProfile;
  /** The field that says who reports. */
  readonly reporter: string;
}

/** What is asked of every event. */
function checkEvent(event: JsonObject, { at, context, names, reporter }: EventContext): void {
  const { root, errors } = context;
  const namespace = root.metadata.namespace ?? '';
  const about = textAt(objectAt(event, 'involvedObject'), 'namespace');
  const path = at.child('involvedObject').child('namespace');
  const problem = "must be the event's namespace";
  if (textAt(event, 'eventTime') === '') {
    const isElsewhere = about === '' ? namespace !== DEFAULT_NAMESPACE : about !== namespace;
    if (isElsewhere) errors.push(invalid(path, about, problem));
  } else {
    const ofCluster = [DEFAULT_NAMESPACE, names.get('namespace.system')];
    if (about === '' && !ofCluster.includes(namespace)) errors.push(invalid(path, about, problem));
    checkReport(event, at, { errors, reporter });
  }
  addProblems(errors, at.child('namespace'), namespace, dnsSubdomainProblems(namespace));
}

function checkReport(
  event: JsonObject,
  at: FieldPath,
  { errors, reporter }: { readonly errors: FieldError[]; readonly reporter: string },
): void {
  const controller = textAt(event, 'reportingComponent');
  if (controller === '') errors.push(required(at.child(reporter)));
  addProblems(errors, at.child(reporter), controller, qualifiedNameProblems(controller));
  for (const field of ['reportingInstance', 'action', 'reason']) {
    const text = textAt(event, field);
    if (text === '') errors.push(required(at.child(field)));
    checkLength(text, at.child(field), MAX_TEXT, errors);
  }
  checkLength(textAt(event, 'message'), at.child('message'), MAX_MESSAGE, errors);
}

function checkLength(text: string, at: FieldPath, limit: number, errors: FieldError[]): void {
  if (Buffer.byteLength(text) > limit)
    errors.push(invalid(at, '', `must have no more than ${limit} characters`));
}

function checkNew(event: JsonObject, { metadata }: ApiObject, errors: FieldError[]): void {
  const { name = '' } = metadata;
  addProblems(errors, 'metadata.name', name, dnsSubdomainProblems(name));
  checkSeries(event, errors);
  if (textAt(event, 'eventTime') === '') errors.push(required('eventTime'));
  const type = textAt(event, 'type');
  if (type !== 'Normal' && type !== 'Warning')
    errors.push(invalid('type', type, 'must be Normal or Warning'));
  const source = objectAt(event, 'source');
  const isSet: Readonly<Record<string, boolean>> = {
    firstTimestamp: textAt(event, 'firstTimestamp') !== '',
    lastTimestamp: textAt(event, 'lastTimestamp') !== '',
    count: numberAt(event, 'count') !== 0,
    source: textAt(source, 'component') !== '' || textAt(source, 'host') !== '',
  };
  for (const [field, set] of Object.entries(isSet))
    if (set) errors.push(invalid(field, '', 'must not be set any more'));
}

function checkSeries(event: JsonObject, errors: FieldError[]): void {
  const series = objectAt(event, 'series');
  if (series === undefined) return;
  if (numberAt(series, 'count') < 2) errors.push(invalid('series.count', '', 'must be at least 2'));
  if (textAt(series, 'lastObservedTime') === '') errors.push(required('series.lastObservedTime'));
}

const IMMUTABLE = [
  'involvedObject',
  // Clients are told of it twice.
  'reason',
  'reason',
  'message',
  'source',
  'firstTimestamp',
  'lastTimestamp',
  'count',
  'type',
  'eventTime',
  'action',
  'related',
  'reportingComponent',
  'reportingInstance',
];

function checkChange(
  event: JsonObject,
  old: JsonObject,
  { at, errors }: { readonly at: FieldPath; readonly errors: FieldError[] },
): void {
  if (!sameJson(event['series'], old['series'])) checkSeries(event, errors);
  for (const field of IMMUTABLE) {
    if (sameValue(event[field], old[field])) continue;
    const known = field === 'reportingComponent' ? 'reportingController' : field;
    errors.push(invalid(at.child(known), event[field], 'field is immutable'));
  }
}

function sameValue(a: Json | undefined, b: Json | undefined): boolean {
  return sameJson(a, b) || (isNothing(a) && isNothing(b));
}

function isNothing(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '' || value === 0) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
