import { CtlError } from '../../errors.ts';
import { formatId, type Resource, type ResourceId } from './resource.ts';

/** The resources of a layer, in order. */
export class ResourceSet {
  #resources: Resource[] = [];

  get all(): readonly Resource[] {
    return this.#resources;
  }

  /** @throws CtlError when there is one of the same name already. */
  add(resources: Iterable<Resource>): void {
    const taken = new Set(this.#resources.map(({ key }) => key));
    for (const resource of resources) {
      const { key } = resource;
      if (taken.has(key))
        throw new CtlError(`may not add resource with an already registered id: ${formatId(resource.id)}`);
      taken.add(key);
      this.#resources.push(resource);
    }
  }

  /** Adds what a generator made, or lets it change what is there. @throws CtlError when that doesn't fit. */
  absorb(made: Resource): void {
    const matches = this.#resources.filter((resource) => resource.wasCalled(made.id));
    const [old] = matches;
    const id = formatId(made.id);
    if (old === undefined) {
      if (made.behavior !== 'create') throw new CtlError(`${id} does not exist; cannot merge or replace`);
      this.add([made]);
    } else if (matches.length > 1) {
      throw new CtlError(`${id}: several resources could be what to merge with`);
    } else if (made.behavior === 'create') {
      throw new CtlError(`${id} exists; behavior must be merge or replace`);
    } else {
      takeOver(old, made);
    }
  }

  /** The one resource that has or had a name. @throws CtlError when there is none, or several. */
  one(id: ResourceId): Resource {
    const matches = this.#resources.filter((resource) => resource.wasCalled(id));
    const [match] = matches;
    if (match !== undefined && matches.length === 1) return match;
    const why = match === undefined ? 'no resource matches' : 'several resources match';
    throw new CtlError(`${why} strategic merge patch ${formatId(id)}`, {
      hint: 'A patch without target changes the resource of its own kind, name and namespace.',
    });
  }

  /** Takes out what a condition doesn't hold for. */
  keep(condition: (resource: Resource) => boolean): void {
    this.#resources = this.#resources.filter(condition);
  }

  sort(order: (a: Resource, b: Resource) => number): void {
    this.#resources.sort(order);
  }
}

/** What is generated takes the place of what there was: its name, its labels beside its own, its data where merged. */
function takeOver(old: Resource, made: Resource): void {
  const { metadata } = old.object;
  const merged = made.object;
  const { name, namespace } = metadata;
  merged.metadata = {
    ...merged.metadata,
    ...(name === undefined ? {} : { name }),
    ...(namespace === undefined ? {} : { namespace }),
    ...together('labels', metadata.labels, merged.metadata.labels),
    ...together('annotations', metadata.annotations, merged.metadata.annotations),
  };
  if (made.behavior === 'merge') {
    for (const field of ['data', 'binaryData'])
      Object.assign(merged, together(field, old.object[field], merged[field]));
  }
  old.object = merged;
  old.hashed &&= made.hashed;
}

function together(field: string, old: unknown, own: unknown): object {
  if (old === undefined && own === undefined) return {};
  return { [field]: { ...(old as object | undefined), ...(own as object | undefined) } };
}
