import { parseGroupVersion, type ApiObject } from '../../meta/object.ts';
import type { KindVersions } from '../../schema/ownership/kind-versions.ts';
import type { ResourceDefinition, StructType } from '../../schema/model.ts';
import type { VerbDependencies } from '../dependencies.ts';

/** The served versions of a resource: managers who spoke others are forgotten. */
export function versionsOf(
  { schemas, convert }: Pick<VerbDependencies, 'schemas' | 'convert'>,
  resource: ResourceDefinition,
): KindVersions {
  return new ServedVersions({ schemas, convert }, resource);
}

class ServedVersions implements KindVersions {
  readonly #dependencies: Pick<VerbDependencies, 'schemas' | 'convert'>;
  readonly #resource: ResourceDefinition;

  constructor(dependencies: Pick<VerbDependencies, 'schemas' | 'convert'>, resource: ResourceDefinition) {
    this.#dependencies = dependencies;
    this.#resource = resource;
  }

  typeIn(apiVersion: string): StructType | undefined {
    return this.#row(apiVersion)?.type;
  }

  convert(object: ApiObject, apiVersion: string): ApiObject {
    const from = this.#row(object.apiVersion);
    const to = this.#row(apiVersion);
    if (from === undefined || to === undefined) throw new Error(`there is no version ${apiVersion}`);
    return this.#dependencies.convert(object, from, to);
  }

  #row(apiVersion: string): ResourceDefinition | undefined {
    const { group, version, kind, storage } = this.#resource;
    const asked = parseGroupVersion(apiVersion);
    if (asked === undefined) return undefined;
    if (asked.version === version && asked.group === group) return this.#resource;
    const row = this.#dependencies.schemas.resourceForKind(asked.group, asked.version, kind);
    return row?.storage?.prefix === storage?.prefix ? row : undefined;
  }
}
