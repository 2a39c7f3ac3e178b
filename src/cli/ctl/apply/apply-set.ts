import { createHash } from 'node:crypto';
import { exactJson } from '../../../lib/exact-json.ts';
import { formatGroupVersion, type ApiObject, type JsonObject } from '../../../meta/object.ts';
import type { NamingProfile } from '../../../names/profile.ts';
import type { Api } from '../api/api.ts';
import { resourcePath, type ApiResource } from '../api/resource.ts';
import type { ResourceMapper } from '../api/resource-mapper.ts';
import { CtlError, isConflict, isNotFound } from '../errors.ts';
import type { WriteTarget } from '../write/find-target.ts';
import type { WriteQuery } from '../write/flags.ts';

/** What an apply set's parent says who keeps it: others don't touch it. */
const TOOL = 'orchctl';

export interface ApplySetOptions {
  readonly api: Api;
  readonly mapper: ResourceMapper;
  /** `NAME`, or `RESOURCE.GROUP/NAME` for a parent that is no secret. */
  readonly parent: string;
  /** As given by `--namespace`; that of the context doesn't count. */
  readonly namespace: string | undefined;
  /** Of this program. */
  readonly version: string;
  readonly query: WriteQuery;
  /** Whether nothing may be sent that changes something. */
  readonly sendsNothing: boolean;
}

/** The objects that belong together, and the object that says so (KEP-3659). */
export class ApplySet {
  readonly parent: string;
  readonly #options: ApplySetOptions;
  readonly #resource: ApiResource;
  readonly #name: string;
  readonly #names: NamingProfile;
  /** What the parent said, before. */
  #kinds = new Set<string>();
  #namespaces = new Set<string>();
  readonly #newKinds = new Set<string>();
  readonly #newNamespaces = new Set<string>();

  constructor(options: ApplySetOptions) {
    const { parent, mapper, namespace } = options;
    const slash = parent.indexOf('/');
    this.#options = options;
    this.#names = mapper.names;
    this.#resource = mapper.find(slash < 0 ? 'secrets' : parent.slice(0, slash));
    this.#name = parent.slice(slash + 1);
    this.parent = `${this.#resource.resource}.${this.#resource.group}/${this.#name}`;
    if (this.#name === '')
      throw new CtlError(`invalid parent reference ${JSON.stringify(parent)}: name cannot be blank`);
    if (this.#resource.namespaced && namespace === undefined)
      throw new CtlError('namespace is required to use namespace-scoped ApplySet');
  }

  get id(): string {
    const { kind, group } = this.#resource;
    const text = [this.#name, this.#namespace ?? '', kind, group].join('.');
    return `applyset-${createHash('sha256').update(text).digest('base64url')}-v1`;
  }

  /** Finds all members. */
  get selector(): string {
    return `${this.#partOf}=${this.id}`;
  }

  /** Makes objects members. @throws CtlError for one that says it is one of some set. */
  label(object: ApiObject): void {
    const labels = (object.metadata.labels ??= {});
    if (Object.hasOwn(labels, this.#partOf))
      throw new CtlError(`ApplySet label ${JSON.stringify(this.#partOf)} already set in input data`);
    labels[this.#partOf] = this.id;
  }

  /** Before anything is applied, the parent learns of every kind and namespace in which members may be from now on. */
  async begin(targets: readonly WriteTarget[]): Promise<void> {
    await this.#requireParentType();
    await this.#readParent();
    for (const { resource, namespace } of targets) {
      this.#newKinds.add(groupKind(resource));
      if (namespace !== undefined) this.#newNamespaces.add(namespace);
    }
    const namespaces = this.#namespaces.union(this.#newNamespaces);
    await this.#writeParent(this.#kinds.union(this.#newKinds), namespaces);
  }

  /** After members that are no more were deleted. */
  async end(): Promise<void> {
    await this.#writeParent(this.#newKinds, this.#newNamespaces);
  }

  /** Where members were until now: each kind, in each namespace. */
  *places(): Generator<{ resource: ApiResource; namespace: string | undefined }> {
    for (const kind of this.#kinds) {
      const resource = this.#resourceOf(kind);
      if (!resource.namespaced) yield { resource, namespace: undefined };
      else for (const namespace of this.#namespaces) yield { resource, namespace };
    }
  }

  get #namespace(): string | undefined {
    return this.#resource.namespaced ? this.#options.namespace : undefined;
  }

  get #partOf(): string {
    return this.#names.get('label.apply-set-part-of');
  }

  get #path(): string {
    return resourcePath({ resource: this.#resource, namespace: this.#namespace, name: this.#name });
  }

  get #isBuiltIn(): boolean {
    const { group, resource } = this.#resource;
    return group === '' && (resource === 'secrets' || resource === 'configmaps');
  }

  async #requireParentType(): Promise<void> {
    if (this.#isBuiltIn) return;
    const { api, mapper } = this.#options;
    const definitions = mapper.find(`customresourcedefinitions.${this.#names.get('group.apiextensions')}`);
    const labelSelector = this.#names.get('label.apply-set-is-parent-type');
    const list = await api.json<{ items?: { metadata?: { name?: string } }[] }>({
      path: resourcePath({ resource: definitions }),
      query: { labelSelector },
    });
    const name = `${this.#resource.resource}.${this.#resource.group}`;
    if (list.items?.some(({ metadata }) => metadata?.name === name) !== true)
      throw new CtlError(`resource ${JSON.stringify(name)} is not permitted as an ApplySet parent`, {
        hint: `Parents are secrets, configmaps, and kinds whose definition has the label ${labelSelector}.`,
      });
  }

  async #readParent(): Promise<void> {
    let found: { metadata?: { labels?: Record<string, string>; annotations?: Record<string, string> } };
    try {
      found = await this.#options.api.json({ path: this.#path });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      if (this.#isBuiltIn) return;
      throw new CtlError('custom resource ApplySet parents cannot be created automatically', {
        cause: error,
      });
    }
    const { labels = {}, annotations = {} } = found.metadata ?? {};
    this.#checkTool(annotations[this.#names.get('annotation.apply-set-tooling')]);
    const idLabel = this.#names.get('label.apply-set-id');
    if (labels[idLabel] !== this.id)
      throw this.#misfit(
        `exists and has incorrect value for label ${JSON.stringify(idLabel)} (got: ${labels[idLabel] ?? 'none'}, want: ${this.id})`,
      );
    this.#kinds = listed(annotations[this.#names.get('annotation.apply-set-group-kinds')]);
    this.#namespaces = listed(annotations[this.#names.get('annotation.apply-set-namespaces')]);
    if (this.#namespace !== undefined) this.#namespaces.add(this.#namespace);
  }

  #checkTool(tooling: string | undefined): void {
    const annotation = this.#names.get('annotation.apply-set-tooling');
    if (tooling === undefined)
      throw this.#misfit(`already exists and is missing required annotation ${JSON.stringify(annotation)}`);
    const tool = tooling.replace(/\/[^/]*$/, '');
    if (tool !== TOOL)
      throw this.#misfit(
        `already exists and is managed by tooling ${JSON.stringify(tool)} instead of "${TOOL}"`,
      );
  }

  #misfit(why: string): CtlError {
    return new CtlError(`ApplySet parent object ${JSON.stringify(this.parent)} ${why}`);
  }

  #resourceOf(kind: string): ApiResource {
    const dot = kind.indexOf('.');
    const [name, group] = dot < 0 ? [kind, ''] : [kind.slice(0, dot), kind.slice(dot + 1)];
    const resource = this.#options.mapper.forKind({ group, kind: name });
    if (resource === undefined)
      throw this.#misfit(`names kind ${JSON.stringify(kind)}, which the server doesn't have any more`);
    return resource;
  }

  async #writeParent(kinds: ReadonlySet<string>, namespaces: ReadonlySet<string>): Promise<void> {
    if (this.#options.sendsNothing) return;
    const body = exactJson(this.#parentObject(kinds, namespaces));
    try {
      await this.#apply(body, undefined);
    } catch (error) {
      if (!isConflict(error)) throw error;
      // What the set consists of is nobody else's to say.
      await this.#apply(body, true);
    }
  }

  async #apply(body: string, force: true | undefined): Promise<void> {
    const { api, query } = this.#options;
    await api.json({
      method: 'PATCH',
      path: this.#path,
      query: { ...query, fieldManager: `${TOOL}-applyset`, force },
      contentType: 'application/apply-patch+yaml',
      body,
    });
  }

  #parentObject(kinds: ReadonlySet<string>, namespaces: ReadonlySet<string>): JsonObject {
    const others = [...namespaces].filter((namespace) => namespace !== this.#namespace);
    const { group, version, kind } = this.#resource;
    return {
      apiVersion: formatGroupVersion(group, version),
      kind,
      metadata: {
        name: this.#name,
        ...(this.#namespace === undefined ? {} : { namespace: this.#namespace }),
        annotations: {
          [this.#names.get('annotation.apply-set-tooling')]: `${TOOL}/${this.#options.version}`,
          [this.#names.get('annotation.apply-set-group-kinds')]: [...kinds].sort().join(','),
          [this.#names.get('annotation.apply-set-namespaces')]: others.sort().join(','),
        },
        labels: { [this.#names.get('label.apply-set-id')]: this.id },
      },
    };
  }
}

function groupKind({ group, kind }: ApiResource): string {
  return group === '' ? kind : `${kind}.${group}`;
}

function listed(text: string | undefined): Set<string> {
  return new Set((text ?? '').split(',').filter((part) => part !== ''));
}
