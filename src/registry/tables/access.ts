import { certificateSigningRequestHooks } from '../certificatesigningrequest/hooks.ts';
import { roleBindingHooks, roleHooks } from '../rbac/hooks.ts';
import {
  localSubjectAccessReview,
  selfSubjectAccessReview,
  subjectAccessReview,
} from '../reviews/access-review.ts';
import { selfSubjectReview, selfSubjectRulesReview } from '../reviews/self-reviews.ts';
import { tokenReview } from '../reviews/token-review.ts';
import { serviceAccountHooks } from '../serviceaccount/hooks.ts';
import { tokenRequest } from '../serviceaccount/token-request.ts';
import type { HooksTable, TableParts } from './parts.ts';

/** Kinds by which people and programs are known, and get rights. */
export function accessTable(parts: TableParts): HooksTable {
  const { names, grants, tokens, tokenRequests } = parts;
  const inNamespaces = { names, grants, namespaced: true };
  const inCluster = { names, grants, namespaced: false };
  return {
    'authentication.SelfSubjectReview': { review: selfSubjectReview },
    ...(tokens === undefined ? {} : { 'authentication.TokenReview': { review: tokenReview(tokens) } }),
    ...accessReviews(parts),
    'certificates.CertificateSigningRequest': certificateSigningRequestHooks(names),
    'core.ServiceAccount': {
      ...serviceAccountHooks(names),
      ...(tokenRequests === undefined ? {} : { creates: { token: tokenRequest(tokenRequests) } }),
    },
    'rbac.ClusterRole': roleHooks(inCluster),
    'rbac.ClusterRoleBinding': roleBindingHooks(inCluster),
    'rbac.Role': roleHooks(inNamespaces),
    'rbac.RoleBinding': roleBindingHooks(inNamespaces),
  };
}

function accessReviews({ access, names }: TableParts): HooksTable {
  if (access === undefined) return {};
  const parts = { access, explanation: names.get('annotation.access-explanation') };
  return {
    'authorization.LocalSubjectAccessReview': { review: localSubjectAccessReview(parts) },
    'authorization.SelfSubjectAccessReview': { review: selfSubjectAccessReview(parts) },
    'authorization.SelfSubjectRulesReview': { review: selfSubjectRulesReview(access) },
    'authorization.SubjectAccessReview': { review: subjectAccessReview(parts) },
  };
}
