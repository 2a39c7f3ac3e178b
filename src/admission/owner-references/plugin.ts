import type { ApiObject, OwnerReference } from '../../meta/object.ts';
import { sameJson } from '../../meta/same-json.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { refused } from '../refused.ts';

/** What somebody would do, besides what the request says. */
export interface OwnerAccess {
  readonly verb: 'delete' | 'update';
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

/** A resource that objects of a kind are written through. */
export interface OwnerResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly namespaced: boolean;
}

export interface OwnerReferencesDependencies {
  readonly mayDo: (request: AdmissionRequest, access: OwnerAccess) => Promise<boolean>;
  /** The resource of a kind; undefined: there is none. */
  readonly resourceOf: (apiVersion: string, kind: string) => OwnerResource | undefined;
}

/**
 * Who names owners of an object must be allowed to delete it: its owners take it with them. Who has an owner wait for it
 * must be allowed to hold up the owner's deletion.
 */
export function ownerReferencesPermissionEnforcement(
  dependencies: OwnerReferencesDependencies,
): AdmissionPlugin {
  return {
    name: 'OwnerReferencesPermissionEnforcement',
    operations: ['CREATE', 'UPDATE'],
    async validate(request) {
      const { resource, subresource, operation, object, oldObject } = request;
      if (resource.group === '' && resource.resource === 'pods' && subresource === 'status') return;
      const [owners, old] = [ownersOf(object), ownersOf(oldObject)];
      if (owners.length === old.length && owners.every((owner, i) => sameJson(owner, old[i]))) return;
      if (operation !== 'CREATE') await requireDeletion(request, dependencies);
      const waited = old
        .filter(({ blockOwnerDeletion }) => blockOwnerDeletion === true)
        .map(({ uid }) => uid);
      const blocking = owners.filter((one) => one.blockOwnerDeletion === true && !waited.includes(one.uid));
      if (blocking.length > 0) await requireFinalizers(request, blocking, dependencies);
    },
  };
}

function ownersOf(object: ApiObject | undefined): readonly OwnerReference[] {
  return object?.metadata.ownerReferences ?? [];
}

/** @throws ApiError 403 */
async function requireDeletion(
  request: AdmissionRequest,
  { mayDo }: OwnerReferencesDependencies,
): Promise<void> {
  const { resource: row, subresource, namespace, name } = request;
  const { group, version, resource } = row;
  if (await mayDo(request, { verb: 'delete', group, version, resource, subresource, namespace, name }))
    return;
  throw refused(request, 'owners may be named only by who may delete the object');
}

const ANYTHING: OwnerAccess = {
  verb: 'update',
  group: '*',
  version: '*',
  resource: '*',
  subresource: 'finalizers',
  namespace: '',
  name: '*',
};

/** @throws ApiError 403 */
async function requireFinalizers(
  request: AdmissionRequest,
  owners: readonly OwnerReference[],
  { mayDo, resourceOf }: OwnerReferencesDependencies,
): Promise<void> {
  if (await mayDo(request, ANYTHING)) return;
  for (const { apiVersion, kind, name } of owners) {
    const found = resourceOf(apiVersion, kind);
    if (found === undefined)
      throw refused(request, `blockOwnerDeletion can not be set: there is no kind ${kind} in ${apiVersion}`);
    const { namespaced, ...resource } = found;
    const namespace = namespaced ? request.namespace : '';
    const access = { verb: 'update', ...resource, subresource: 'finalizers', namespace, name } as const;
    if (await mayDo(request, access)) continue;
    throw refused(
      request,
      `blockOwnerDeletion may be set only by who may set finalizers of the ${kind} ${name}`,
    );
  }
}
