import { badRequestError } from '../../errors/status-errors.ts';
import type { Json, JsonObject } from '../../meta/object.ts';
import { exactJson } from '../../lib/exact-json.ts';
import { formatTime } from '../../lib/rfc3339.ts';
import { objectAt, sizeOf, textAt } from '../../meta/fields.ts';
import { freshAnswer, userInfoOf, type Access, type Review } from './reviews.ts';

/** Who am I? */
export const selfSubjectReview: Review = (question, { user, now }) => {
  const answer = freshAnswer(question, { status: { userInfo: userInfoOf(user) } });
  answer.metadata.creationTimestamp = formatTime(now);
  return Promise.resolve(answer);
};

/** What may I do in a namespace? */
export function selfSubjectRulesReview(access: Access): Review {
  return async function review(question, { user }) {
    const namespace = textAt(objectAt(question, 'spec'), 'namespace');
    if (namespace === '') throw badRequestError('spec.namespace is missing: rules are those of a namespace');
    const { rules, incomplete, problems } = await access.rulesFor(user, namespace);
    const all = inOrder(rules as readonly JsonObject[]);
    const resourceRules = all.filter((rule) => sizeOf(rule['resources']) > 0).map(withoutPaths);
    const nonResourceRules = all.filter((rule) => sizeOf(rule['nonResourceURLs']) > 0).map(onlyPaths);
    const status = {
      ...{ resourceRules, nonResourceRules, incomplete },
      ...(problems.length === 0 ? {} : { evaluationError: joined(problems) }),
    };
    return freshAnswer(question, { spec: {}, status });
  };
}

/** As Go joins errors. */
function joined(problems: readonly string[]): string {
  return problems.length === 1 ? (problems[0] as string) : `[${problems.join(', ')}]`;
}

/** Each once, and always in the same order, whatever order they were bound in. */
function inOrder(rules: readonly JsonObject[]): JsonObject[] {
  const byText = new Map(rules.map((rule) => [exactJson(canonicalRule(rule)), rule]));
  return [...byText].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, rule]) => rule);
}

function canonicalRule({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: JsonObject): Json[] {
  return [verbs, apiGroups, resources, resourceNames, nonResourceURLs].map((list) => list ?? []);
}

function withoutPaths({ nonResourceURLs: _, ...rule }: JsonObject): JsonObject {
  return rule;
}

function onlyPaths({ verbs = [], nonResourceURLs = [] }: JsonObject): JsonObject {
  return { verbs, nonResourceURLs };
}
