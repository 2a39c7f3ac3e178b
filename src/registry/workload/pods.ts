import { forbidden, invalid, notSupported, type FieldError } from '../../errors/field-error.ts';
import type { FieldPath } from '../../errors/field-path.ts';
import { objectAt, sizeOf, textAt } from '../../meta/fields.ts';
import { labelSelectorOf, type LabelSelector, type Labels } from '../../meta/label-selector.ts';
import type { JsonObject } from '../../meta/object.ts';
import { SelectorError } from '../../meta/selector-error.ts';
import type { CheckContext } from '../../schema/rules/rule-book.ts';
import { labelSelectorCheck } from '../label-selector-rules.ts';

/** How a workload's selector is checked. */
export interface SelectorRules {
  readonly context: Pick<CheckContext, 'root' | 'errors'>;
  /** Whether a selector that can't be read is an error by itself, and no update may leave it as it was. */
  readonly unreadable: 'refused' | 'ignored';
}

/** A workload selects its own pods: its selector demands something, and its template's labels meet it. */
export function checkSelector(spec: JsonObject, at: FieldPath, { context, unreadable }: SelectorRules): void {
  const { errors } = context;
  const path = at.child('selector');
  const sent = objectAt(spec, 'selector');
  if (sent !== undefined && sizeOf(sent['matchLabels']) + sizeOf(sent['matchExpressions']) === 0) {
    errors.push(invalid(path, sent, 'an empty selector would select every pod'));
  }
  const labels = (templateLabels(spec) ?? {}) as Labels;
  const selector = sent === undefined ? undefined : readSelector(sent);
  if (sent === undefined || selector?.matches(labels) === false) errors.push(otherLabels(spec, at));
  else if (selector === undefined && unreadable === 'refused') refuseUnreadable(sent, path, context);
}

/** Adds all that is wrong with a selector, but for what is told already: its values may have been let pass. */
function refuseUnreadable(
  selector: JsonObject,
  at: FieldPath,
  { root, errors }: SelectorRules['context'],
): void {
  const found: FieldError[] = [];
  labelSelectorCheck(selector, at, { root, errors: found, tolerates: never });
  const told = new Set(errors.map(textOf));
  for (const error of found) if (!told.has(textOf(error))) errors.push(error);
  errors.push(invalid(at, selector, 'is no label selector'));
}

function never(): boolean {
  return false;
}

function textOf({ field, message }: FieldError): string {
  return `${field}: ${message}`;
}

/** @returns undefined for one that makes no sense. */
function readSelector(sent: JsonObject): LabelSelector | undefined {
  try {
    return labelSelectorOf(sent);
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}

/** The labels of a spec's pod template. */
export function templateLabels(spec: JsonObject | undefined): JsonObject | undefined {
  return objectAt(objectAt(objectAt(spec, 'template'), 'metadata'), 'labels');
}

/** The template's labels aren't those that the selector wants. */
export function otherLabels(spec: JsonObject, at: FieldPath): FieldError {
  const labels = templateLabels(spec) ?? {};
  return invalid(
    at.child('template').child('metadata').child('labels'),
    labels,
    '`selector` does not match the labels of the template',
  );
}

/** Pods that are replaced when they end run for ever. */
export function checkEndless(spec: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const pod = objectAt(objectAt(spec, 'template'), 'spec');
  const path = at.child('template').child('spec');
  const policy = textAt(pod, 'restartPolicy');
  if (policy !== 'Always') errors.push(notSupported(path.child('restartPolicy'), policy, ['Always']));
  if (pod?.['activeDeadlineSeconds'] !== undefined) {
    errors.push(forbidden(path.child('activeDeadlineSeconds'), 'such pods have no deadline'));
  }
}
