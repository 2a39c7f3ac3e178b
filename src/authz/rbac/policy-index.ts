import type { UserInfo } from '../../request/context.ts';
import { Applied, type RolePlace } from './applied.ts';
import { CompiledRules } from './compiled-rules.ts';
import type { PolicyRule } from '../../meta/policy-rule.ts';
import { serviceAccountUser, type Binding, type RoleRef, type Subject } from './policy.ts';

/** What a visit decides: whether it has seen enough. */
type Visit = (applied: Applied) => boolean;

/** Bindings of one scope by the names of those whom they are for: a decision makes no texts of its own to look them up. */
interface Scope {
  readonly users: Map<string, Set<Applied>>;
  readonly groups: Map<string, Set<Applied>>;
}

/** What applies to a user, as long as no binding changes. */
interface Found {
  readonly generation: number;
  readonly everywhere: readonly Applied[];
  /** By namespace, of those that were asked for. */
  readonly within: Map<string, readonly Applied[]>;
}

/** Of one user: what a user asks for in more is looked up again. */
const NAMESPACES_KEPT = 64;

const NOTHING: readonly Applied[] = [];

/**
 * All roles and bindings, indexed so that a decision looks only at the bindings that name its user or one of the user's
 * groups. Kept up to date object by object.
 */
export class PolicyIndex {
  readonly #roles = new Map<string, RolePlace>();
  readonly #bindings = new Map<string, readonly Applied[]>();
  /** By namespace; '' holds the ClusterRoleBindings. */
  readonly #scopes = new Map<string, Scope>();
  /** Another one after every change of a binding: what was found before counts no more. */
  #generation = 0;
  /** By the object that authentication gives for a user, again and again. */
  readonly #found = new WeakMap<UserInfo, Found>();

  /** @param namespace '' for a ClusterRole. */
  setRole(namespace: string, name: string, rules: readonly PolicyRule[]): void {
    this.#placeOf({ namespace, name }).rules = new CompiledRules(rules);
  }

  removeRole(namespace: string, name: string): void {
    const key = keyOf(namespace, name);
    const place = this.#roles.get(key);
    if (place === undefined) return;
    place.rules = undefined;
    this.#dropUnused(key, place);
  }

  rulesOf({ namespace, name }: RoleRef): CompiledRules | undefined {
    return this.#roles.get(keyOf(namespace, name))?.rules;
  }

  setBinding(binding: Binding): void {
    const { namespace, name } = binding;
    this.removeBinding(namespace, name);
    this.#generation++;
    const place = this.#placeOf(binding.role);
    const entries = binding.subjects.map((subject) => new Applied(binding, subject, place));
    place.uses += entries.length;
    this.#dropUnused(keyOf(binding.role.namespace, binding.role.name), place);
    this.#bindings.set(keyOf(namespace, name), entries);
    if (entries.length === 0) return;
    const scope: Scope = this.#scopes.get(namespace) ?? { users: new Map(), groups: new Map() };
    this.#scopes.set(namespace, scope);
    for (const entry of entries) {
      const { names, name: of } = indexOf(scope, entry.subject, namespace);
      const all = names.get(of);
      if (all === undefined) names.set(of, new Set([entry]));
      else all.add(entry);
    }
  }

  removeBinding(namespace: string, name: string): void {
    const key = keyOf(namespace, name);
    const scope = this.#scopes.get(namespace);
    const entries = this.#bindings.get(key);
    this.#bindings.delete(key);
    if (scope === undefined || entries === undefined) return;
    this.#generation++;
    for (const entry of entries) {
      const { names, name: of } = indexOf(scope, entry.subject, namespace);
      const all = names.get(of);
      all?.delete(entry);
      if (all?.size === 0) names.delete(of);
      entry.place.uses--;
      this.#dropUnused(keyOf(entry.binding.role.namespace, entry.binding.role.name), entry.place);
    }
    if (scope.users.size === 0 && scope.groups.size === 0) this.#scopes.delete(namespace);
  }

  /**
   * The bindings of one scope that apply to a user: those of the cluster for '', else those of a namespace alone. Found
   * once for each user object until a binding changes.
   */
  appliedTo(user: UserInfo, namespace: string): readonly Applied[] {
    let found = this.#found.get(user);
    if (found === undefined || found.generation !== this.#generation) {
      found = { generation: this.#generation, everywhere: this.#collect(user, ''), within: new Map() };
      this.#found.set(user, found);
    }
    if (namespace === '') return found.everywhere;
    const before = found.within.get(namespace);
    if (before !== undefined) return before;
    const applied = this.#collect(user, namespace);
    if (found.within.size < NAMESPACES_KEPT) found.within.set(namespace, applied);
    return applied;
  }

  /**
   * Shows the bindings that apply to a user: those of the cluster, then those of a namespace ('' for none), until
   * `visit` has seen enough. @returns whether it had.
   */
  visit(user: UserInfo, namespace: string, visit: Visit): boolean {
    return (
      this.#visitScope(user, '', visit) || (namespace !== '' && this.#visitScope(user, namespace, visit))
    );
  }

  /** The namespaces that have bindings, and '' for the cluster where that has. */
  namespaces(): Iterable<string> {
    return this.#scopes.keys();
  }

  /** Shows the bindings of one namespace only. */
  visitNamespace(user: UserInfo, namespace: string, visit: Visit): boolean {
    return this.#visitScope(user, namespace, visit);
  }

  #collect(user: UserInfo, namespace: string): readonly Applied[] {
    const all: Applied[] = [];
    this.#visitScope(user, namespace, (applied) => {
      all.push(applied);
      return false;
    });
    return all.length === 0 ? NOTHING : all;
  }

  #visitScope(user: UserInfo, namespace: string, visit: Visit): boolean {
    const scope = this.#scopes.get(namespace);
    if (scope === undefined) return false;
    if (visitEach(scope.users.get(user.name), visit)) return true;
    for (const group of user.groups) {
      if (visitEach(scope.groups.get(group), visit)) return true;
    }
    return false;
  }

  #placeOf({ namespace, name }: Pick<RoleRef, 'namespace' | 'name'>): RolePlace {
    const key = keyOf(namespace, name);
    let place = this.#roles.get(key);
    if (place === undefined) {
      place = { rules: undefined, uses: 0 };
      this.#roles.set(key, place);
    }
    return place;
  }

  #dropUnused(key: string, { rules, uses }: RolePlace): void {
    if (rules === undefined && uses === 0) this.#roles.delete(key);
  }
}

function visitEach(entries: ReadonlySet<Applied> | undefined, visit: Visit): boolean {
  if (entries === undefined) return false;
  for (const entry of entries) if (visit(entry)) return true;
  return false;
}

/** Where a subject is looked up. An account is a user; one without a namespace is in the binding's. */
function indexOf(
  { users, groups }: Scope,
  { kind, name, namespace }: Subject,
  bindingNamespace: string,
): { readonly names: Map<string, Set<Applied>>; readonly name: string } {
  if (kind === 'Group') return { names: groups, name };
  if (kind !== 'ServiceAccount') return { names: users, name };
  return { names: users, name: serviceAccountUser(namespace || bindingNamespace, name) };
}

/** Neither namespaces nor names have a slash. */
function keyOf(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}
