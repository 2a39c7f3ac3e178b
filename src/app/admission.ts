import { createAdmission, type Admission, type AdmissionPlugin } from '../admission/admission.ts';
import {
  certificateApproval,
  certificateSigning,
  certificateSubjectRestriction,
  clusterTrustBundleAttest,
} from '../admission/certificates/plugins.ts';
import { requireSigner, type MayDo } from '../admission/certificates/signer-access.ts';
import { namespaceLifecycle, type NamespaceState } from '../admission/namespace-lifecycle/plugin.ts';
import { nodeRestriction } from '../admission/node-restriction/plugin.ts';
import { choosePlugins } from '../admission/order.ts';
import type { Authorizer } from '../authz/authorizer.ts';
import { podReferences } from '../authz/node/pod-references.ts';
import { ApiError } from '../errors/api-error.ts';
import type { NamingProfile } from '../names/profile.ts';
import type { SchemaRegistry } from '../schema/model.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { findObject } from './late-objects.ts';
import type { CompletedConfig } from './options/complete.ts';

/** What plugins are made of. */
export interface AdmissionParts {
  readonly config: CompletedConfig;
  readonly names: NamingProfile;
  readonly schemas: SchemaRegistry;
  readonly store: ObjectStore;
  readonly authorize: Authorizer;
}

/** Opens admission: the plugins that run by default, as the flags change them. */
export function openAdmission(parts: AdmissionParts): Admission {
  return createAdmission(choosePlugins(plugins(parts), parts.config.admission));
}

/** The plugins that there are. A new one is a line here; its place and default are data of `admission/order.ts`. */
function plugins(parts: AdmissionParts): readonly AdmissionPlugin[] {
  const { names, schemas, store } = parts;
  return [
    ...certificatePlugins(parts),
    nodeRestriction({
      names,
      find: (what) => findObject(parts, what),
      referredKinds: (pod) => podReferences(pod, NO_ANNOTATION).map(({ type }) => type),
      expandsVolumes: parts.config.gates.enabled('RecoverVolumeExpansionFailure'),
    }),
    namespaceLifecycle({
      getNamespace: (name, freshness, signal) =>
        getNamespace({ schemas, store }, name, { freshness, signal }),
      immortal: new Set(['default', names.get('namespace.system'), names.get('namespace.public')]),
    }),
  ];
}

/** Mirror pods are looked at like all others. */
const NO_ANNOTATION = '';

function certificatePlugins({ names, authorize }: AdmissionParts): readonly AdmissionPlugin[] {
  const group = names.get('group.certificates');
  const mayDo: MayDo = async (user, info) => (await authorize({ user, info })).verdict === 'allow';
  const signers = requireSigner(mayDo, group);
  return [
    certificateApproval(group, signers),
    certificateSigning(group, signers),
    clusterTrustBundleAttest(group, signers),
    certificateSubjectRestriction(group, names.get('signer.kube-apiserver-client')),
  ];
}

async function getNamespace(
  { schemas, store }: Pick<AdmissionParts, 'schemas' | 'store'>,
  name: string,
  { freshness, signal }: { freshness: 'cached' | 'live'; signal: AbortSignal },
): Promise<NamespaceState | undefined> {
  const resource = schemas.resource('', 'v1', 'namespaces');
  if (resource === undefined) return undefined;
  try {
    const at = { at: freshness === 'live' ? 'latest' : 'any' } as const;
    const entry = await store.get({ resource, namespace: '', name, at, signal });
    return { terminating: entry.field('status.phase') === 'Terminating' };
  } catch (error) {
    if (error instanceof ApiError && error.reason === 'NotFound') return undefined;
    throw error;
  }
}
