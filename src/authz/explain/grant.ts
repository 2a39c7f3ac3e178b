import type { JsonObject } from '../../meta/object.ts';
import type { UserInfo } from '../../request/context.ts';
import type { AuthorizationRequest } from '../authorizer.ts';
import type { PolicyRule } from '../../meta/policy-rule.ts';

const ACCOUNT = /^system:serviceaccount:([^:]+):([^:]+)$/;
/** Verbs of requests whose object has no name yet, or not only one. */
const NAMELESS = new Set(['create', 'deletecollection']);

/** The least role that allows a request, and what binds it to the user: ready to be applied. */
export function grantFor({ user, info }: AuthorizationRequest, rbacGroup: string): JsonObject[] {
  const scoped = info.isResourceRequest && info.namespace !== '';
  const prefix = scoped ? '' : 'Cluster';
  const apiVersion = `${rbacGroup}/v1`;
  const name = segment(
    info.isResourceRequest ? `${info.verb}-${resourceOf(info)}` : `${info.verb}-${info.path}`,
  );
  const subject = subjectOf(user, rbacGroup);
  const metadata = (of: string): JsonObject => ({
    name: of,
    ...(scoped ? { namespace: info.namespace } : {}),
  });
  return [
    { apiVersion, kind: `${prefix}Role`, metadata: metadata(name), rules: [ruleFor(info) as JsonObject] },
    {
      ...{ apiVersion, kind: `${prefix}RoleBinding` },
      metadata: metadata(segment(`${name}-${subject.name}`)),
      roleRef: { apiGroup: rbacGroup, kind: `${prefix}Role`, name },
      subjects: [subject],
    },
  ];
}

function ruleFor(info: AuthorizationRequest['info']): PolicyRule {
  if (!info.isResourceRequest) return { verbs: [info.verb], nonResourceURLs: [info.path] };
  const named = info.name !== '' && !NAMELESS.has(info.verb);
  return {
    apiGroups: [info.group],
    resources: [resourceOf(info)],
    ...(named ? { resourceNames: [info.name] } : {}),
    verbs: [info.verb],
  };
}

function resourceOf({ resource, subresource }: AuthorizationRequest['info']): string {
  return subresource === '' ? resource : `${resource}/${subresource}`;
}

function subjectOf({ name, groups }: UserInfo, apiGroup: string): JsonObject & { readonly name: string } {
  const [, namespace, account] = ACCOUNT.exec(name) ?? [];
  if (namespace !== undefined && account !== undefined) {
    return { kind: 'ServiceAccount', namespace, name: account };
  }
  if (name === '') return { apiGroup, kind: 'Group', name: groups[0] ?? '' };
  return { apiGroup, kind: 'User', name };
}

/** A name that every object may have. */
function segment(text: string): string {
  const name = text
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '');
  return name.slice(0, 200);
}
