import {
  duplicate,
  forbidden,
  invalid,
  notSupported,
  required,
  type FieldError,
} from '../../errors/field-error.ts';
import type { FieldPath } from '../../errors/field-path.ts';
import { objectAt, objectsAt, sizeOf, textAt } from '../../meta/fields.ts';
import {
  dns1035LabelProblems,
  dnsSubdomainProblems,
  pathSegmentProblems,
  qualifiedNameProblems,
} from '../../meta/names.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import type { TypeCheck } from '../../schema/rules/rule-book.ts';
import { conditionErrors } from '../condition-rules.ts';
import { addProblems } from '../problems.ts';
import { textsOf } from '../webhookconfiguration/rules.ts';
import { checkConditions } from '../webhookconfiguration/validate.ts';
import { isIdentifier } from './identifier.ts';

/** ValidatingAdmissionPolicies, but for what their expressions come to. */
export const policySpec: TypeCheck = (spec, at, { root, errors }) => {
  const constraints = objectAt(spec, 'matchConstraints');
  const path = at.child('matchConstraints');
  if (constraints === undefined) errors.push(required(path));
  else if (sizeOf(constraints['resourceRules']) === 0) errors.push(required(path.child('resourceRules')));
  checkConditions(objectsAt(spec, 'matchConditions'), at.child('matchConditions'), errors);
  for (const [i, variable] of objectsAt(spec, 'variables').entries())
    checkVariable(variable, at.child('variables').index(i), errors);
  if (sizeOf(spec['validations']) === 0 && sizeOf(spec['auditAnnotations']) === 0) {
    for (const field of ['validations', 'auditAnnotations'])
      errors.push(required(at.child(field), 'a policy validates or annotates'));
    return;
  }
  for (const [i, validation] of objectsAt(spec, 'validations').entries())
    checkValidation(validation, at.child('validations').index(i), errors);
  checkAnnotations(objectsAt(spec, 'auditAnnotations'), at.child('auditAnnotations'), {
    errors,
    name: root.metadata.name ?? '',
  });
};

function checkVariable(variable: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const name = textAt(variable, 'name');
  if (name.trim() === '') errors.push(required(at.child('name')));
  else if (!isIdentifier(name)) errors.push(invalid(at.child('name'), name, 'must be an identifier of CEL'));
  if (textAt(variable, 'expression').trim() === '') errors.push(required(at.child('expression')));
}

const REASONS = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];

function checkValidation(validation: JsonObject, at: FieldPath, errors: FieldError[]): void {
  if (textAt(validation, 'expression').trim() === '') errors.push(required(at.child('expression')));
  for (const field of ['messageExpression', 'message']) {
    const text = textAt(validation, field);
    if (text !== '' && text.trim() === '') errors.push(invalid(at.child(field), text, 'must not be blank'));
  }
  const message = textAt(validation, 'message');
  if (/[\r\n]/.test(message.trim())) errors.push(invalid(at.child('message'), message, 'must be one line'));
  const { reason } = validation;
  if (typeof reason === 'string' && !REASONS.includes(reason))
    errors.push(notSupported(at.child('reason'), reason, REASONS));
}

const MAX_ANNOTATIONS = 20;
const MAX_EXPRESSION = 5 * 1024;

function checkAnnotations(
  annotations: readonly JsonObject[],
  at: FieldPath,
  { errors, name }: { readonly errors: FieldError[]; readonly name: string },
): void {
  if (annotations.length > MAX_ANNOTATIONS)
    errors.push(invalid(at, [...annotations], `must be no more than ${MAX_ANNOTATIONS}`));
  const keys = new Set<string>();
  for (const [i, annotation] of annotations.entries()) {
    const path = at.index(i);
    const key = textAt(annotation, 'key');
    addProblems(errors, path.child('key'), `${name}/${key}`, qualifiedNameProblems(`${name}/${key}`));
    if (keys.has(key)) errors.push(duplicate(path.child('key'), key));
    keys.add(key);
    const text = textAt(annotation, 'valueExpression').trim();
    if (text === '' || Buffer.byteLength(text) > MAX_EXPRESSION)
      errors.push(required(path.child('valueExpression'), `must have no more than ${MAX_EXPRESSION} bytes`));
  }
}

/** The kind of a policy's parameters. */
export const paramKind: TypeCheck = (kind, at, { errors }) => {
  const version = textAt(kind, 'apiVersion');
  if (version === '') errors.push(required(at.child('apiVersion')));
  else checkGroupVersion(version, at.child('apiVersion'), errors);
  const name = textAt(kind, 'kind');
  if (name === '') errors.push(required(at.child('kind')));
  else addProblems(errors, at.child('kind'), name, dns1035LabelProblems(name.toLowerCase()));
};

function checkGroupVersion(text: string, at: FieldPath, errors: FieldError[]): void {
  const parts = text.split('/');
  if (parts.length > 2) {
    errors.push(invalid(at, text, "must be a group, '/' and a version"));
    return;
  }
  const [version = '', group = ''] = parts.reverse();
  if (group !== '') addProblems(errors, at, group, dnsSubdomainProblems(group));
  if (version === '') errors.push(invalid(at, text, 'must have a version'));
  else addProblems(errors, at, version, dns1035LabelProblems(version));
}

const ACTIONS = ['Audit', 'Deny', 'Warn'];

/** What comes of a policy for the requests that it is bound to. */
export const policyBindingSpec: TypeCheck = (spec, at, { errors }) => {
  const actions = textsOf(spec['validationActions']);
  const path = at.child('validationActions');
  for (const [i, action] of actions.entries()) {
    if (!ACTIONS.includes(action)) errors.push(notSupported(path.index(i), action, ACTIONS));
    if (actions.indexOf(action) < i) errors.push(duplicate(path.index(i), action));
  }
  if (actions.includes('Deny') && actions.includes('Warn'))
    errors.push(invalid(path, actions, 'may not be both Deny and Warn: it would be told twice'));
  if (actions.length === 0) errors.push(required(path));
};

const NOT_FOUND_ACTIONS = ['Deny', 'Allow'];

/** Which parameters a binding has. */
export const paramRef: TypeCheck = (reference, at, { errors }) => {
  const name = textAt(reference, 'name');
  const selects = objectAt(reference, 'selector') !== undefined;
  if (name !== '') addProblems(errors, at.child('name'), name, pathSegmentProblems(name));
  if (name !== '' && selects) {
    for (const field of ['name', 'selector'])
      errors.push(forbidden(at.child(field), 'may not have both name and selector'));
  }
  if (name === '' && !selects) errors.push(required(at, 'must have name or selector'));
  const action = textAt(reference, 'parameterNotFoundAction');
  const path = at.child('parameterNotFoundAction');
  if (action === '') errors.push(required(path));
  else if (!NOT_FOUND_ACTIONS.includes(action)) errors.push(notSupported(path, action, NOT_FOUND_ACTIONS));
};

/** What is wrong with what a controller found out about a policy. */
export function policyStatusErrors(policy: ApiObject): FieldError[] {
  const status = objectAt(policy, 'status');
  const errors: FieldError[] = [];
  for (const [i, warning] of objectsAt(objectAt(status, 'typeChecking'), 'expressionWarnings').entries()) {
    const at = `status.typeChecking.expressionWarnings[${i}]`;
    if (textAt(warning, 'warning') === '') errors.push(required(`${at}.warning`));
    if (textAt(warning, 'fieldRef').trim() === '') errors.push(required(`${at}.fieldRef`));
  }
  return [...errors, ...conditionErrors(objectsAt(status, 'conditions'), 'status.conditions')];
}
