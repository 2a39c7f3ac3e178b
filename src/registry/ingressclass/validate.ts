import { forbidden, notSupported, required } from '../../errors/field-error.ts';
import { dnsLabelProblems } from '../../meta/names.ts';
import type { TypeCheck } from '../../schema/rules/rule-book.ts';
import { checkTypedReference } from '../ingress/backend.ts';
import { addProblems } from '../problems.ts';

const SCOPES = ['Cluster', 'Namespace'];

/** What a class refers to for its parameters: an object of the cluster, or of a namespace that is named. */
export const ingressClassParameters: TypeCheck = (parameters, at, { errors }) => {
  checkTypedReference(parameters, at, errors);
  const { scope, namespace } = parameters;
  const path = at.child('namespace');
  if (typeof scope !== 'string') errors.push(required(at.child('scope')));
  else if (!SCOPES.includes(scope)) errors.push(notSupported(at.child('scope'), scope, SCOPES));
  else if (scope === 'Cluster') {
    if (typeof namespace === 'string') errors.push(forbidden(path, 'objects of the cluster have none'));
  } else if (typeof namespace !== 'string') errors.push(required(path, 'says whose object it is'));
  else addProblems(errors, path, namespace, dnsLabelProblems(namespace));
};
