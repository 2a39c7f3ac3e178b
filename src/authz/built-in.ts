import { ALLOW, NO_OPINION, type Authorizer } from './authorizer.ts';
import { allRules, NO_RULES, type AuthorizationMode } from './rules.ts';

const MASTERS = 'system:masters';

/** Members of `system:masters` may do everything, whatever else is configured. */
export const masters: Authorizer = ({ user }) =>
  Promise.resolve(user.groups.includes(MASTERS) ? ALLOW : NO_OPINION);

const ALL = ['*'];

/** Everybody may do everything. */
export const alwaysAllow: AuthorizationMode = {
  authorize: () => Promise.resolve(ALLOW),
  rulesFor: () =>
    allRules([
      { verbs: ALL, apiGroups: ALL, resources: ALL },
      { verbs: ALL, nonResourceURLs: ALL },
    ]),
};

/** Nobody is allowed anything by this mode; modes behind it are asked all the same. */
export const alwaysDeny: AuthorizationMode = {
  authorize: () => Promise.resolve({ ...NO_OPINION, reason: 'Everything is forbidden.' }),
  rulesFor: () => NO_RULES,
};
