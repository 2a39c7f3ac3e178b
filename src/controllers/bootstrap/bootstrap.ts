import { ApiError } from '../../errors/api-error.ts';
import { parseGroupVersion, type ApiObject } from '../../meta/object.ts';
import type { ResourceDefinition, SchemaRegistry } from '../../schema/model.ts';

export interface BootstrapDependencies {
  readonly schemas: SchemaRegistry;
  /** @throws ApiError AlreadyExists for an object that is there. */
  readonly create: (
    resource: ResourceDefinition,
    object: ApiObject,
    signal?: AbortSignal,
  ) => Promise<unknown>;
}

/**
 * Creates what exists from the first start on and is missing; what is there stays as it is. Kinds that aren't served
 * are left out. Several servers may do it at once.
 *
 * @throws ApiError the first failure that isn't an object being there already.
 */
export async function bootstrap(
  { schemas, create }: BootstrapDependencies,
  objects: readonly ApiObject[],
  signal?: AbortSignal,
): Promise<void> {
  const createMissing = async (object: ApiObject): Promise<void> => {
    const version = parseGroupVersion(object.apiVersion);
    const resource = version && schemas.resourceForKind(version.group, version.version, object.kind);
    if (resource === undefined) return;
    try {
      await create(resource, object, signal);
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason !== 'AlreadyExists') throw error;
    }
  };
  await Promise.all(objects.map(createMissing));
}
