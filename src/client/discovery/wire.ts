import type { ApiResource } from './api-resource.ts';

/** Aggregated discovery, in the parts that are read. */
export interface AggregatedList {
  readonly items?: readonly {
    readonly metadata?: { readonly name?: string };
    readonly versions?: readonly {
      readonly version: string;
      readonly freshness?: string;
      readonly resources?: readonly AggregatedResource[];
    }[];
  }[];
}

interface AggregatedResource {
  readonly resource: string;
  readonly responseKind?: { readonly group?: string; readonly version?: string; readonly kind?: string };
  readonly scope?: string;
  readonly singularResource?: string;
  readonly verbs?: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly { readonly subresource: string }[];
}

/** `/apis`. */
export interface GroupList {
  readonly groups?: readonly {
    readonly name: string;
    readonly versions?: readonly { readonly version: string }[];
  }[];
}

/** `/api`. */
export interface CoreVersions {
  readonly versions?: readonly string[];
}

/** `/apis/GROUP/VERSION`; subresources stand among the resources as `resource/subresource`. */
export interface ResourceList {
  readonly resources?: readonly {
    readonly name: string;
    readonly singularName?: string;
    readonly namespaced?: boolean;
    readonly kind: string;
    readonly verbs?: readonly string[];
    readonly shortNames?: readonly string[];
    readonly categories?: readonly string[];
  }[];
}

/** A resource of aggregated discovery. */
export function fromAggregated(group: string, version: string, found: AggregatedResource): ApiResource {
  const kind = found.responseKind?.kind ?? '';
  return {
    group,
    version,
    resource: found.resource,
    singular: found.singularResource || kind.toLowerCase(),
    kind,
    namespaced: found.scope === 'Namespaced',
    verbs: found.verbs ?? [],
    shortNames: found.shortNames ?? [],
    categories: found.categories ?? [],
    subresources: (found.subresources ?? []).map(({ subresource }) => subresource),
  };
}

/** The resources of a group's version. */
export function fromResourceList(
  group: string,
  version: string,
  { resources = [] }: ResourceList,
): ApiResource[] {
  return resources
    .filter(({ name }) => !name.includes('/'))
    .map((found) => ({
      group,
      version,
      resource: found.name,
      singular: found.singularName || found.kind.toLowerCase(),
      kind: found.kind,
      namespaced: found.namespaced === true,
      verbs: found.verbs ?? [],
      shortNames: found.shortNames ?? [],
      categories: found.categories ?? [],
      subresources: resources.flatMap(({ name }) =>
        name.startsWith(`${found.name}/`) ? [name.slice(found.name.length + 1)] : [],
      ),
    }));
}
