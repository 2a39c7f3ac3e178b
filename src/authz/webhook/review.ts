import type { FieldRequirement } from '../../meta/field-selector.ts';
import type { LabelOperator, LabelRequirement } from '../../meta/label-selector.ts';
import type { JsonObject } from '../../meta/object.ts';
import type { RequestInfo } from '../../request/request-info.ts';
import type { AuthorizationRequest } from '../authorizer.ts';
import type { Selectors } from '../selectors.ts';

/** The question whether a request is allowed, as the `spec` of a SubjectAccessReview of version v1. */
export function reviewSpec({ user, info }: AuthorizationRequest, selectors: Selectors): JsonObject {
  const about = info.isResourceRequest
    ? { resourceAttributes: resourceAttributes(info, selectors) }
    : { nonResourceAttributes: filled({ path: info.path, verb: info.verb }) };
  return {
    ...about,
    ...filled({ user: user.name, uid: user.uid }),
    ...(user.groups.length === 0 ? {} : { groups: [...user.groups] }),
    ...(Object.keys(user.extra).length === 0 ? {} : { extra: user.extra as unknown as JsonObject }),
  };
}

/** The same in version v1beta1, which has another name for the groups. */
export function asBeta({ groups, ...spec }: JsonObject): JsonObject {
  return { ...spec, ...(groups === undefined ? {} : { group: groups }) };
}

function resourceAttributes(info: RequestInfo, { fields, labels }: Selectors): JsonObject {
  const { namespace, verb, group, version, resource, subresource, name } = info;
  const labelRequirements = labels.flatMap(labelRequirement);
  return {
    ...filled({ namespace, verb, group, version, resource, subresource, name }),
    ...(fields.length === 0 ? {} : { fieldSelector: { requirements: fields.map(fieldRequirement) } }),
    ...(labelRequirements.length === 0 ? {} : { labelSelector: { requirements: labelRequirements } }),
  };
}

function fieldRequirement({ field, equals, value }: FieldRequirement): JsonObject {
  return { key: field, operator: equals ? 'In' : 'NotIn', values: [value] };
}

const LABEL_OPERATORS: Readonly<Partial<Record<LabelOperator, string>>> = {
  in: 'In',
  notin: 'NotIn',
  exists: 'Exists',
  notexists: 'DoesNotExist',
};

/** Comparisons have no form here: without them the question is for more than is asked for. */
function labelRequirement({ key, operator, values }: LabelRequirement): JsonObject[] {
  const known = LABEL_OPERATORS[operator];
  if (known === undefined) return [];
  return [{ key, operator: known, ...(values.length === 0 ? {} : { values: [...values].sort() }) }];
}

function filled(texts: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
}
