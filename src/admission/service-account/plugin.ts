import { isTrue, objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import type { NamingProfile } from '../../names/profile.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { only } from '../only.ts';
import { refused } from '../refused.ts';
import { checkEphemeralSecrets, checkSecrets } from './mountable-secrets.ts';
import { hasTokenVolume, tokenMounts, type MountToken } from './token-volume.ts';

export interface ServiceAccountDependencies {
  /**
   * Looks an account up: `cached` may be a little old, `live` is as new as any acknowledged write, `awaited` waits for
   * it a moment. Undefined: there is none.
   */
  readonly getAccount: (
    account: { readonly namespace: string; readonly name: string },
    freshness: 'cached' | 'live' | 'awaited',
    signal: AbortSignal,
  ) => Promise<ApiObject | undefined>;
  /** Whether a pod names any Secret. */
  readonly usesSecrets: (pod: ApiObject) => boolean;
  readonly names: NamingProfile;
  /** A number from 0 up to, but not including, 1: of names of volumes. */
  readonly random: () => number;
}

/** The account of pods that name none. */
const DEFAULT_ACCOUNT = 'default';

/**
 * Gives pods their service account, which must exist, its secrets for pulling images, and a volume with a token of it.
 * Where the account says so, pods may use no secrets but its own.
 */
export function serviceAccount(dependencies: ServiceAccountDependencies): AdmissionPlugin {
  const plugin = new ServiceAccountAdmission(dependencies);
  return {
    name: 'ServiceAccount',
    operations: ['CREATE', 'UPDATE'],
    concerns: only('pods'),
    async mutate(request) {
      const pod = podOf(request);
      if (pod !== undefined && request.operation === 'CREATE' && request.subresource === '')
        await plugin.complete(request, pod);
    },
    async validate(request) {
      const pod = podOf(request);
      if (pod !== undefined) await plugin.check(request, pod);
    },
  };
}

interface Pod {
  readonly object: ApiObject;
  readonly spec: JsonObject;
}

function podOf({ resource, subresource, object }: AdmissionRequest): Pod | undefined {
  const isAboutPods = resource.group === '' && resource.resource === 'pods';
  const spec = objectAt(object, 'spec');
  if (!isAboutPods || object === undefined || spec === undefined) return undefined;
  if (subresource !== '' && subresource !== 'ephemeralcontainers') return undefined;
  return { object, spec };
}

class ServiceAccountAdmission {
  readonly #getAccount: ServiceAccountDependencies['getAccount'];
  readonly #usesSecrets: ServiceAccountDependencies['usesSecrets'];
  readonly #mountToken: MountToken;
  readonly #mirrored: string;
  readonly #enforced: string;

  constructor({ getAccount, usesSecrets, names, random }: ServiceAccountDependencies) {
    this.#getAccount = getAccount;
    this.#usesSecrets = usesSecrets;
    this.#mountToken = tokenMounts(
      { path: names.get('path.service-account'), rootCa: names.get('configMap.root-ca') },
      random,
    );
    this.#mirrored = names.get('annotation.config-mirror');
    this.#enforced = names.get('annotation.enforce-mountable-secrets');
  }

  /** The specs of mirror pods stay as their node has them. */
  async complete(request: AdmissionRequest, pod: Pod): Promise<void> {
    const { spec } = pod;
    if (this.#isMirror(pod)) {
      this.#checkMirror(request, pod);
      return;
    }
    const name = textAt(spec, 'serviceAccountName') || DEFAULT_ACCOUNT;
    const account = await this.#account(request, name);
    spec['serviceAccountName'] = name;
    spec['serviceAccount'] = name;
    if (mountsToken(spec, account)) this.#mountToken(spec);
    const pullSecrets = objectsAt(account, 'imagePullSecrets');
    if (pullSecrets.length > 0 && objectsAt(spec, 'imagePullSecrets').length === 0)
      spec['imagePullSecrets'] = pullSecrets.map((secret) => ({ name: textAt(secret, 'name') }));
  }

  async check(request: AdmissionRequest, pod: Pod): Promise<void> {
    const { operation, subresource } = request;
    const isNew = operation === 'CREATE';
    if (!isNew && subresource !== 'ephemeralcontainers') return;
    if (isNew && this.#isMirror(pod)) {
      this.#checkMirror(request, pod);
      return;
    }
    const name = textAt(pod.spec, 'serviceAccountName');
    if (name === '') throw refused(request, 'the pod has no service account');
    const account = await this.#account(request, name);
    if (!isTrue(account.metadata.annotations?.[this.#enforced])) return;
    const why = isNew ? checkSecrets(pod.spec, account) : checkEphemeralSecrets(pod.spec, account);
    if (why !== undefined) throw refused(request, why);
  }

  #isMirror({ object }: Pod): boolean {
    return object.metadata.annotations?.[this.#mirrored] !== undefined;
  }

  /**
   * A pod that only mirrors what a node runs by itself has nothing of the cluster's: no account, secrets or tokens.
   *
   * @throws ApiError 403
   */
  #checkMirror(request: AdmissionRequest, { object, spec }: Pod): void {
    if (textAt(spec, 'serviceAccountName') !== '')
      throw refused(request, 'a mirror pod may not name a service account');
    if (this.#usesSecrets(object)) throw refused(request, 'a mirror pod may not use secrets');
    if (hasTokenVolume(spec))
      throw refused(request, 'a mirror pod may not have tokens of service accounts in its volumes');
  }

  /** The default account of a new namespace may be a moment late. @throws ApiError 403 where there is none. */
  async #account(request: AdmissionRequest, name: string): Promise<ApiObject> {
    const { namespace, signal } = request;
    const account =
      (await this.#getAccount({ namespace, name }, 'cached', signal)) ??
      (await this.#getAccount({ namespace, name }, name === DEFAULT_ACCOUNT ? 'awaited' : 'live', signal));
    if (account !== undefined) return account;
    const hint =
      name === DEFAULT_ACCOUNT
        ? ', which serviceaccount-controller makes: it is late, or --controllers leaves it out'
        : '';
    throw refused(request, `there is no service account ${name} in the namespace ${namespace}${hint}`);
  }
}

/** The pod decides, else its account; by default it does. */
function mountsToken(spec: JsonObject, account: ApiObject): boolean {
  const asked = spec['automountServiceAccountToken'] ?? account['automountServiceAccountToken'];
  return asked !== false;
}
