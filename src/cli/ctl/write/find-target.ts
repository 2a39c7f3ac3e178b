import { parseGroupVersion, type ApiObject } from '../../../meta/object.ts';
import { resourcePath, type ApiResource } from '../api/resource.ts';
import type { ResourceMapper } from '../api/resource-mapper.ts';
import type { ChosenNamespace } from '../context.ts';
import { CtlError } from '../errors.ts';
import type { Manifest, Place } from '../manifests/manifest.ts';

/** A manifest, and where its object belongs. */
export interface WriteTarget {
  readonly object: ApiObject;
  readonly place: Place;
  readonly resource: ApiResource;
  /** Undefined outside of namespaces. */
  readonly namespace: string | undefined;
  /** '' where the server is to make a name. */
  readonly name: string;
}

/** The server doesn't have the kind, now. */
export class UnknownKind extends CtlError {
  override readonly name = 'UnknownKind';
}

/**
 * Finds out where a manifest's object belongs, and puts it into the namespace of the command where it says none.
 *
 * @throws UnknownKind; CtlError for an object of another namespace than `--namespace` says.
 */
export function findTarget(
  { object, place }: Manifest,
  mapper: ResourceMapper,
  chosen: ChosenNamespace,
): WriteTarget {
  const { apiVersion, kind, metadata } = object;
  const { group = '', version = '' } = parseGroupVersion(apiVersion) ?? {};
  const resource = mapper.forKind({ group, version, kind });
  const { name = '', namespace: own = '' } = metadata;
  const source = JSON.stringify(place.file);
  if (resource === undefined) {
    const text = `resource mapping not found for name: ${JSON.stringify(name)} namespace: ${JSON.stringify(own)} from ${source}`;
    throw new UnknownKind(
      `${text}: no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(apiVersion)}\nensure CRDs are installed first`,
    );
  }
  if (!resource.namespaced) return { object, place, resource, namespace: undefined, name };
  if (chosen.explicit && own !== '' && own !== chosen.name) {
    throw new CtlError(
      `the namespace from the provided object ${JSON.stringify(own)} does not match the namespace ${JSON.stringify(chosen.name)}. You must pass '--namespace=${own}' to perform this operation.`,
    );
  }
  const namespace = own === '' ? chosen.name : own;
  metadata.namespace = namespace;
  return { object, place, resource, namespace, name };
}

/** The path of the target's object. @throws CtlError for one without a name. */
export function targetPath(
  { object, place, resource, namespace, name }: WriteTarget,
  subresource?: string,
): string {
  if (name !== '') return resourcePath({ resource, namespace, name, subresource });
  const { generateName } = object.metadata;
  throw new CtlError(
    generateName
      ? `from ${generateName}: cannot use generate name with apply`
      : `${place.file}: document ${place.document}, line ${place.line}: metadata.name: is not set`,
  );
}
