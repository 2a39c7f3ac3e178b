import { ALLOW, NO_OPINION, type Decision, type SingleAuthorizer } from './authorizer.ts';
import { allRules, NO_RULES, type AuthorizationMode } from './rules.ts';

const MASTERS = 'system:masters';

/** Members of `system:masters` may do everything, whatever else is configured. */
export const masters: SingleAuthorizer = ({ user }) => (user.groups.includes(MASTERS) ? ALLOW : NO_OPINION);

const FORBIDDEN: Decision = { ...NO_OPINION, reason: 'Everything is forbidden.' };

const ALL = ['*'];

/** Everybody may do everything. */
export const alwaysAllow: AuthorizationMode = {
  authorize: () => ALLOW,
  rulesFor: () =>
    allRules([
      { verbs: ALL, apiGroups: ALL, resources: ALL },
      { verbs: ALL, nonResourceURLs: ALL },
    ]),
};

/** Nobody is allowed anything by this mode; modes behind it are asked all the same. */
export const alwaysDeny: AuthorizationMode = {
  authorize: () => FORBIDDEN,
  rulesFor: () => NO_RULES,
};
