import { ApiError } from '../../errors/api-error.ts';
import { forbiddenError, notFoundError } from '../../errors/status-errors.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { refused } from '../refused.ts';

/** What the plugin knows of a namespace. */
export interface NamespaceState {
  readonly terminating: boolean;
}

export interface NamespaceLifecycleDependencies {
  /**
   * Looks a namespace up: `cached` may be a little old, `live` is as new as any acknowledged write. Undefined: there is
   * none.
   */
  readonly getNamespace: (
    name: string,
    freshness: 'cached' | 'live',
    signal: AbortSignal,
  ) => Promise<NamespaceState | undefined>;
  /** Namespaces that can't be deleted. */
  readonly immortal: ReadonlySet<string>;
}

const NAMESPACES = { group: '', resource: 'namespaces' };

/**
 * Keeps namespaces and what is in them consistent: nothing is written into a namespace that doesn't exist or created in
 * one that is going away, and the system's namespaces stay. Every refusal is made on a live look.
 */
export function namespaceLifecycle(dependencies: NamespaceLifecycleDependencies): AdmissionPlugin {
  return {
    name: 'NamespaceLifecycle',
    operations: ['CREATE', 'UPDATE', 'DELETE'],
    async mutate(request) {
      if (isNamespace(request)) refuseImmortal(request, dependencies.immortal);
      else if (request.operation !== 'DELETE' && request.namespace !== '' && !isReview(request)) {
        await requireNamespace(request, dependencies);
      }
    },
  };
}

function isNamespace({ resource }: AdmissionRequest): boolean {
  return resource.group === '' && resource.resource === NAMESPACES.resource;
}

/** Access reviews in a namespace ask about it and store nothing: it need not exist. */
function isReview({ resource }: AdmissionRequest): boolean {
  return resource.resource === 'localsubjectaccessreviews';
}

function refuseImmortal(request: AdmissionRequest, immortal: ReadonlySet<string>): void {
  if (request.operation !== 'DELETE' || !immortal.has(request.name)) return;
  throw forbiddenError(NAMESPACES, request.name, 'the system needs this namespace, it may not be deleted');
}

async function requireNamespace(
  request: AdmissionRequest,
  { getNamespace }: NamespaceLifecycleDependencies,
): Promise<void> {
  const refuses = (state: NamespaceState | undefined): boolean =>
    state === undefined || (state.terminating && request.operation === 'CREATE');
  let state = await getNamespace(request.namespace, 'cached', request.signal);
  if (!refuses(state)) return;
  state = await getNamespace(request.namespace, 'live', request.signal);
  if (state === undefined) throw notFoundError(NAMESPACES, request.namespace);
  if (refuses(state)) throw terminatingError(request);
}

function terminatingError(request: AdmissionRequest): ApiError {
  const message = `there is no new content in namespace ${request.namespace} because it is being terminated`;
  const { message: text, details } = refused(request, message);
  const causes = [{ reason: 'NamespaceTerminating', message, field: 'metadata.namespace' }];
  return new ApiError('Forbidden', text, { details: { ...details, causes } });
}
