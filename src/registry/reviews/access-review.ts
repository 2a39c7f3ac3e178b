import { ApiError } from '../../errors/api-error.ts';
import { invalid, toCauses, type FieldError } from '../../errors/field-error.ts';
import { exactJson } from '../../lib/exact-json.ts';
import { badRequestError } from '../../errors/status-errors.ts';
import { parseGroupVersion, type ApiObject, type JsonObject } from '../../meta/object.ts';
import type { UserInfo } from '../../request/context.ts';
import { objectAt, sizeOf, textAt } from '../../meta/fields.ts';
import { accessErrors, reviewedRequest } from './access-spec.ts';
import { reviewedSelectors } from './review-selectors.ts';
import type { Access, Review, ReviewContext } from './reviews.ts';

/** What access reviews need. */
export interface AccessReviewParts {
  readonly access: Access;
  /** The annotation that explains an answer. */
  readonly explanation: string;
}

/** May somebody do something? */
export function subjectAccessReview(parts: AccessReviewParts): Review {
  return async function review(question, context) {
    const spec = objectAt(question, 'spec');
    refuseErrors(question, [...accessErrors(spec), ...subjectErrors(spec), ...metadataErrors(question, [])]);
    return decide(parts, question, { context, subject: subjectOf(spec) });
  };
}

/** May somebody do something in this namespace? Whoever may ask that need not be allowed to ask about others. */
export function localSubjectAccessReview(parts: AccessReviewParts): Review {
  return async function review(question, context) {
    const { namespace } = context;
    const spec = objectAt(question, 'spec');
    refuseErrors(question, [
      ...localErrors(question),
      ...accessErrors(spec),
      ...subjectErrors(spec),
      ...metadataErrors(question, ['namespace']),
    ]);
    const asked = textAt(objectAt(spec, 'resourceAttributes'), 'namespace');
    if (asked !== namespace) {
      throw badRequestError(`spec.resourceAttributes.namespace is ${asked}, not the path's, ${namespace}`);
    }
    return decide(parts, question, { context, subject: subjectOf(spec) });
  };
}

/** May I do something? */
export function selfSubjectAccessReview(parts: AccessReviewParts): Review {
  return async function review(question, context) {
    const spec = objectAt(question, 'spec');
    refuseErrors(question, [...accessErrors(spec), ...metadataErrors(question, [])]);
    return decide(parts, question, { context, subject: context.user });
  };
}

interface Asked {
  readonly context: ReviewContext;
  /** Whom it is about. */
  readonly subject: UserInfo;
}

async function decide(
  { access, explanation }: AccessReviewParts,
  question: ApiObject,
  { context, subject }: Asked,
): Promise<ApiObject> {
  const spec = objectAt(question, 'spec');
  const { selectors, problems } = reviewedSelectors(spec);
  const request = { user: subject, info: reviewedRequest(spec), selectors };
  const why = context.explains === true ? await access.explain(context.user, request) : undefined;
  const { verdict, reason, problem } = await access.authorize(request);
  const evaluationError = [...(problem === undefined ? [] : [problem]), ...problems].join('; ');
  const status = {
    allowed: verdict === 'allow',
    ...(verdict === 'deny' ? { denied: true } : {}),
    ...(reason === '' ? {} : { reason }),
    ...(evaluationError === '' ? {} : { evaluationError }),
  };
  if (why === undefined) return { ...question, status };
  const annotations = { [explanation]: exactJson(why) };
  return { ...question, metadata: { ...question.metadata, annotations }, status };
}

function subjectOf(spec: JsonObject | undefined): UserInfo {
  return {
    name: textAt(spec, 'user'),
    uid: textAt(spec, 'uid'),
    groups: (spec?.['groups'] ?? []) as string[],
    extra: (objectAt(spec, 'extra') ?? {}) as UserInfo['extra'],
  };
}

function subjectErrors(spec: JsonObject | undefined): FieldError[] {
  if (textAt(spec, 'user') !== '' || sizeOf(spec?.['groups']) > 0) return [];
  return [invalid('spec.user', '', 'a review is about a user or a group')];
}

function localErrors(question: ApiObject): FieldError[] {
  const spec = objectAt(question, 'spec');
  const path = objectAt(spec, 'nonResourceAttributes');
  if (path !== undefined) return [invalid('spec.nonResourceAttributes', path, 'paths are in no namespace')];
  const asked = textAt(objectAt(spec, 'resourceAttributes'), 'namespace');
  if (asked === (question.metadata.namespace ?? '')) return [];
  return [invalid('spec.resourceAttributes.namespace', asked, 'must be the namespace of the review')];
}

/** A question has no identity. */
function metadataErrors({ metadata }: ApiObject, allowed: readonly string[]): FieldError[] {
  const known = ['managedFields', 'creationTimestamp', ...allowed];
  const others = Object.keys(metadata).filter((field) => !known.includes(field) && metadata[field] != null);
  return others.length === 0 ? [] : [invalid('metadata', metadata, 'must be empty')];
}

/** @throws ApiError 422. It names no kind, as clients know it. */
function refuseErrors({ apiVersion }: ApiObject, errors: readonly FieldError[]): void {
  if (errors.length === 0) return;
  const { group = '' } = parseGroupVersion(apiVersion) ?? {};
  const text = errors.map(({ field, message }) => `${field}: ${message}`).join(', ');
  throw new ApiError('Invalid', `the review is invalid: ${text}`, {
    details: { group, causes: toCauses(errors) },
  });
}
