import type { ExpressionChecker } from '../../schema/expressions/checker.ts';
import type { VariableType } from '../../schema/expressions/variable-type.ts';

const KIND = { group: 'string', version: 'string', kind: 'string' };
const RESOURCE = { group: 'string', version: 'string', resource: 'string' };
const TEXTS = 'map<string, string>';
const TIME = 'google.protobuf.Timestamp';

/** What expressions of admission know of a request. */
const REQUEST: VariableType = {
  ...{ kind: KIND, resource: RESOURCE, subResource: 'string' },
  ...{ requestKind: KIND, requestResource: RESOURCE, requestSubResource: 'string' },
  ...{ name: 'string', namespace: 'string', operation: 'string', dryRun: 'bool', options: 'dyn' },
  userInfo: {
    ...{ username: 'string', uid: 'string', groups: 'list<string>' },
    extra: 'map<string, list<string>>',
  },
};

/** What they know of the namespace. */
const NAMESPACE: VariableType = {
  metadata: {
    ...{ name: 'string', generateName: 'string', namespace: 'string', labels: TEXTS, annotations: TEXTS },
    ...{ UID: 'string', creationTimestamp: TIME, deletionTimestamp: TIME, resourceVersion: 'string' },
    ...{ deletionGracePeriodSeconds: 'int', generation: 'int', finalizers: 'list<string>' },
  },
  spec: { finalizers: 'list<string>' },
  status: { conditions: 'list<dyn>', phase: 'string' },
};

/** Which variables expressions have besides those of every request. */
export interface AdmissionVariables {
  readonly params: boolean;
  readonly authorizer: boolean;
}

/** A checker of expressions about requests. */
export function admissionChecker(
  checker: ExpressionChecker,
  { params, authorizer }: AdmissionVariables,
): ExpressionChecker {
  const ofRequest = checker
    .with('object', 'dyn')
    .with('oldObject', 'dyn')
    .with('request', REQUEST)
    .with('namespaceObject', NAMESPACE);
  const withParams = params ? ofRequest.with('params', 'dyn') : ofRequest;
  return authorizer ? withParams.with('authorizer', 'kubernetes.authorization.Authorizer') : withParams;
}
