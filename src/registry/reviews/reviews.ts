import type { FieldRequirement } from '../../meta/field-selector.ts';
import type { LabelRequirement } from '../../meta/label-selector.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import type { RequestContext, UserInfo } from '../../request/context.ts';
import type { RequestInfo } from '../../request/request-info.ts';

/** What an authorizer says, to those who review it. */
export interface AccessDecision {
  readonly verdict: 'allow' | 'deny' | 'noOpinion';
  readonly reason: string;
  /** What kept an authorizer from deciding. */
  readonly problem?: string;
}

/** What the objects must be like that a review is about. */
export interface ReviewedSelectors {
  readonly fields: readonly FieldRequirement[];
  readonly labels: readonly LabelRequirement[];
}

/** What a review asks about. */
export interface ReviewedRequest {
  readonly user: UserInfo;
  readonly info: RequestInfo;
  readonly selectors: ReviewedSelectors;
}

/** What the kinds that answer questions about access ask. */
export interface Access {
  authorize(request: ReviewedRequest): Promise<AccessDecision>;
  /** Why something is allowed or not, told to who may know. @throws ApiError 403. */
  explain(asker: UserInfo, request: ReviewedRequest): Promise<JsonObject>;
  /** The rules that a user has in a namespace, whether there may be more than can be listed, and why. */
  rulesFor(
    user: UserInfo,
    namespace: string,
  ): Promise<{
    readonly rules: readonly object[];
    readonly incomplete: boolean;
    readonly problems: readonly string[];
  }>;
}

/** What the kind that answers questions about tokens asks. */
export interface TokenQuestions {
  /** @throws Error that says why the token is no good. */
  authenticate(
    token: string,
    audiences: readonly string[],
    notes?: ReviewContext['notes'],
  ): Promise<{ readonly user: UserInfo; readonly audiences: readonly string[] } | undefined>;
  /** What this server is called in tokens: the audiences that are meant where a question names none. */
  readonly audiences: readonly string[];
}

/** What a review knows of the request that asks it. */
export interface ReviewContext {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly user: UserInfo;
  /** Of the path; '' at cluster scope. */
  readonly namespace: string;
  /** Whether the answer is to be explained. */
  readonly explains?: boolean;
  /** Takes what is noteworthy of a token that is reviewed. */
  readonly notes?: Pick<RequestContext, 'annotate' | 'warn'>;
}

/**
 * Answers a question that comes as an object, which nobody stores.
 *
 * @param question in canonical form, its ownership recorded. @throws ApiError 400, 422.
 */
export type Review = (question: ApiObject, context: ReviewContext) => Promise<ApiObject>;

/** The answer to a question that isn't repeated in it. */
export function freshAnswer({ kind, apiVersion }: ApiObject, answer: JsonObject): ApiObject {
  return { kind, apiVersion, metadata: {}, ...answer };
}

/** A user as reviews show it: fields that are empty are left out. */
export function userInfoOf({ name, uid, groups, extra }: UserInfo): JsonObject {
  return {
    username: name,
    ...(uid === '' ? {} : { uid }),
    groups: [...groups],
    ...(Object.keys(extra).length === 0 ? {} : { extra: extra as unknown as JsonObject }),
  };
}
