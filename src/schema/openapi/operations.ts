import type { ResourceDefinition, StructType, SubresourceDefinition } from '../model.ts';
import { COMPONENTS } from './components.ts';
import type { MediaTypes } from './media.ts';
import {
  makePath,
  TEXT,
  type ApiParameter,
  type ApiPath,
  type Method,
  type OperationDraft,
} from './paths.ts';
import {
  DELETE,
  LIST,
  NAME,
  NAMESPACE,
  optionParameters,
  PATCH,
  PRETTY,
  SELECT,
  SUBPATH,
  WRITE,
} from './query.ts';

const ANY = ['*/*'];

/** The paths of one resource: collection, item, subresources, all namespaces, and the old watch paths. */
export function* resourcePaths(row: ResourceDefinition, tag: string, media: MediaTypes): Generator<ApiPath> {
  const writer = new ResourcePathWriter(row, tag, media);
  yield* writer.paths();
}

class ResourcePathWriter {
  readonly #row: ResourceDefinition;
  readonly #tag: string;
  readonly #media: MediaTypes;
  readonly #root: string;
  /** `CoreV1`: stands behind the verb in operation ids. */
  readonly #spelled: string;
  readonly #scope: readonly ApiParameter[];

  constructor(row: ResourceDefinition, tag: string, media: MediaTypes) {
    this.#row = row;
    this.#tag = `${tag}_${row.version}`;
    this.#media = media;
    this.#root = row.group === '' ? `/api/${row.version}` : `/apis/${row.group}/${row.version}`;
    this.#spelled = capitalize(tag) + capitalize(row.version);
    this.#scope = row.namespaced ? [NAMESPACE] : [];
  }

  *paths(): Generator<ApiPath> {
    const { namespaced, resource, verbs } = this.#row;
    const inScope = namespaced ? `/namespaces/{namespace}/${resource}` : `/${resource}`;
    const collection = [...this.#collection()];
    if (collection.length > 0) yield makePath(this.#root + inScope, collection);
    const item = [...this.#item()];
    if (item.length > 0) yield makePath(`${this.#root}${inScope}/{name}`, item);
    for (const subresource of this.#row.subresources.values()) {
      yield* this.#subresource(`${this.#root}${inScope}/{name}/${subresource.name}`, subresource);
    }
    if (namespaced && verbs.includes('list')) {
      yield makePath(`${this.#root}/${resource}`, [this.#list([], 'ForAllNamespaces', false)]);
    }
    if (!verbs.includes('watch')) return;
    yield makePath(`${this.#root}/watch${inScope}`, [this.#watch('watchlist', this.#scope, 'List')]);
    yield makePath(`${this.#root}/watch${inScope}/{name}`, [
      this.#watch('watch', [...this.#scope, NAME], ''),
    ]);
    if (namespaced) {
      const everywhere = this.#watch('watchlist', [], 'ListForAllNamespaces', false);
      yield makePath(`${this.#root}/watch/${resource}`, [everywhere]);
    }
  }

  *#collection(): Generator<OperationDraft> {
    const { verbs } = this.#row;
    if (verbs.includes('list')) yield this.#list(this.#scope, '', this.#row.namespaced);
    if (verbs.includes('create')) {
      yield this.#post(this.#id('create', ''), this.#scope, this.#row, this.#row.type.name);
    }
    if (verbs.includes('deletecollection')) {
      yield this.#draft('delete', 'deletecollection', this.#id('delete', '', 'Collection'), {
        parameters: [...this.#scope, PRETTY, ...SELECT, ...DELETE.filter((own) => !SELECT.includes(own))],
        body: { component: COMPONENTS.deleteOptions, required: false },
        answer: COMPONENTS.status,
      });
    }
  }

  *#item(): Generator<OperationDraft> {
    const { verbs, type, returnsDeleted } = this.#row;
    const item = [...this.#scope, NAME];
    if (verbs.includes('get')) yield this.#get(this.#id('read', ''), item, this.#row, type.name);
    if (verbs.includes('update')) yield this.#put(this.#id('replace', ''), item, this.#row, type.name);
    if (verbs.includes('patch')) yield this.#patch(this.#id('patch', ''), item, this.#row, type.name);
    if (verbs.includes('delete')) {
      yield this.#draft('delete', 'delete', this.#id('delete', ''), {
        parameters: [...item, PRETTY, ...DELETE],
        body: { component: COMPONENTS.deleteOptions, required: false },
        answer: returnsDeleted ? type.name : COMPONENTS.status,
        codes: [200, 202],
      });
    }
  }

  *#subresource(path: string, subresource: SubresourceDefinition): Generator<ApiPath> {
    const { connect, name, type, verbs } = subresource;
    const item = [...this.#scope, NAME];
    const suffix = capitalize(name);
    if (connect !== undefined) {
      yield makePath(path, this.#connections(subresource, item, suffix));
      if (!connect.subpath) return;
      yield makePath(
        `${path}/{path}`,
        this.#connections(subresource, [...item, SUBPATH], `${suffix}WithPath`),
      );
      return;
    }
    if (type === undefined) return;
    const drafts: OperationDraft[] = [];
    if (verbs.includes('get')) drafts.push(this.#getSubresource(subresource, item, suffix, type));
    if (verbs.includes('create')) {
      drafts.push(this.#post(this.#id('create', suffix), item, subresource, type.name));
    }
    if (verbs.includes('update')) {
      drafts.push(this.#put(this.#id('replace', suffix), item, subresource, type.name));
    }
    if (verbs.includes('patch')) {
      drafts.push(this.#patch(this.#id('patch', suffix), item, subresource, type.name));
    }
    yield makePath(path, drafts);
  }

  #getSubresource(
    subresource: SubresourceDefinition,
    item: readonly ApiParameter[],
    suffix: string,
    type: StructType,
  ): OperationDraft {
    const id = this.#id('read', suffix);
    if (subresource.text !== true) return this.#get(id, item, subresource, type.name);
    return this.#draft('get', 'get', id, {
      kind: subresource,
      parameters: [...item, PRETTY, ...optionParameters(subresource.options)],
      produces: ['text/plain', ...this.#media.objects],
      answer: TEXT,
    });
  }

  #connections(
    subresource: SubresourceDefinition,
    parameters: readonly ApiParameter[],
    suffix: string,
  ): OperationDraft[] {
    return (subresource.connect?.methods ?? []).map((method) =>
      this.#draft(method as Method, 'connect', this.#id('connect', suffix, capitalize(method)), {
        kind: subresource,
        parameters: [...parameters, ...optionParameters(subresource.options)],
        produces: ANY,
        answer: TEXT,
      }),
    );
  }

  #list(scope: readonly ApiParameter[], suffix: string, namespaced: boolean): OperationDraft {
    return this.#draft('get', 'list', this.#id('list', suffix, '', namespaced), {
      parameters: [...scope, PRETTY, ...LIST],
      produces: this.#media.lists,
      answer: `${this.#row.type.name}List`,
    });
  }

  #watch(
    action: 'watch' | 'watchlist',
    scope: readonly ApiParameter[],
    suffix: string,
    namespaced = this.#row.namespaced,
  ): OperationDraft {
    return this.#draft('get', action, this.#id('watch', suffix, '', namespaced), {
      parameters: [...scope, PRETTY, ...LIST],
      produces: this.#media.lists,
      answer: COMPONENTS.watchEvent,
    });
  }

  #get(id: string, path: readonly ApiParameter[], kind: Kind, answer: string): OperationDraft {
    return this.#draft('get', 'get', id, { kind, parameters: [...path, PRETTY], answer });
  }

  #post(id: string, path: readonly ApiParameter[], kind: Kind, type: string): OperationDraft {
    const parameters = [...path, PRETTY, ...WRITE];
    const body = { component: type, required: true };
    return this.#draft('post', 'post', id, { kind, parameters, body, answer: type, codes: [200, 201, 202] });
  }

  #put(id: string, path: readonly ApiParameter[], kind: Kind, type: string): OperationDraft {
    const parameters = [...path, PRETTY, ...WRITE];
    const body = { component: type, required: true };
    return this.#draft('put', 'put', id, { kind, parameters, body, answer: type, codes: [200, 201] });
  }

  #patch(id: string, path: readonly ApiParameter[], kind: Kind, type: string): OperationDraft {
    return this.#draft('patch', 'patch', id, {
      kind,
      parameters: [...path, PRETTY, ...PATCH],
      body: { component: COMPONENTS.patch, required: true },
      consumes: this.#media.patches,
      answer: type,
      codes: [200, 201],
    });
  }

  #draft(
    method: Method,
    action: string,
    id: string,
    rest: Partial<OperationDraft> & Pick<OperationDraft, 'answer' | 'parameters'> & { kind?: Kind },
  ): OperationDraft {
    const { group, version, kind } = rest.kind ?? this.#row;
    return {
      tag: this.#tag,
      consumes: ANY,
      produces: this.#media.objects,
      codes: [200],
      ...rest,
      method,
      action,
      id,
      kind: { group, kind, version },
    };
  }

  /** `verb` `CoreV1` `infix` `Namespaced` `Kind` `suffix`. */
  #id(verb: string, suffix: string, infix = '', namespaced = this.#row.namespaced): string {
    return `${verb}${this.#spelled}${infix}${namespaced ? 'Namespaced' : ''}${this.#row.kind}${suffix}`;
  }
}

type Kind = { readonly group: string; readonly version: string; readonly kind: string };

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
