import { forbidden, invalid, notSupported, type FieldError } from '../../errors/field-error.ts';
import type { FieldPath } from '../../errors/field-path.ts';
import { objectAt, sizeOf, textAt } from '../../meta/fields.ts';
import { labelSelectorOf, type LabelSelector, type Labels } from '../../meta/label-selector.ts';
import type { JsonObject } from '../../meta/object.ts';
import { SelectorError } from '../../meta/selector-error.ts';
import type { CheckContext } from '../../schema/rules/rule-book.ts';
import { labelSelectorCheck } from '../label-selector-rules.ts';

/** What a workload's selector must be. */
export interface SelectorRules {
  readonly errors: FieldError[];
  /**
   * Set where a selector that can't be read is an error by itself, besides those of its parts: also of those that updates
   * leave as they were elsewhere.
   */
  readonly mustBeReadable?: Pick<CheckContext, 'root' | 'tolerates'>;
}

/** A workload selects its own pods: its selector demands something, and its template's labels meet it. */
export function checkSelector(
  spec: JsonObject,
  at: FieldPath,
  { errors, mustBeReadable: context }: SelectorRules,
): void {
  const sent = objectAt(spec, 'selector');
  if (sent !== undefined && sizeOf(sent['matchLabels']) + sizeOf(sent['matchExpressions']) === 0) {
    errors.push(invalid(at.child('selector'), sent, 'an empty selector would select every pod'));
  }
  const selector = readSelector(sent);
  if (selector === undefined) {
    if (context !== undefined) addUnreadable(sent, at.child('selector'), { ...context, errors });
  } else if (!matchesTemplate(selector, spec)) errors.push(otherLabels(spec, at));
}

function addUnreadable(selector: JsonObject = {}, at: FieldPath, context: CheckContext): void {
  if (context.tolerates('selectorValue'))
    labelSelectorCheck(selector, at, { ...context, tolerates: () => false });
  context.errors.push(invalid(at, selector, 'is no label selector'));
}

/** @returns `nothing` for no selector, undefined for one that makes no sense. */
function readSelector(sent: JsonObject | undefined): LabelSelector | 'nothing' | undefined {
  if (sent === undefined) return 'nothing';
  try {
    return labelSelectorOf(sent);
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}

function matchesTemplate(selector: LabelSelector | 'nothing', spec: JsonObject): boolean {
  return selector !== 'nothing' && selector.matches((templateLabels(spec) ?? {}) as Labels);
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
