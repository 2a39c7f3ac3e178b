import type { UserInfo } from '../../request/context.ts';
import { CompiledRules } from './compiled-rules.ts';
import { serviceAccountUser, type Binding, type PolicyRule, type RoleRef, type Subject } from './policy.ts';

/** A binding that applies to a user, with the role that it binds. */
export interface Applied {
  readonly binding: Binding;
  readonly subject: Subject;
  /** Undefined: there is no such role. */
  readonly rules: CompiledRules | undefined;
}

/** What a visit decides: whether it has seen enough. */
type Visit = (applied: Applied) => boolean;

interface Entry {
  readonly binding: Binding;
  readonly subject: Subject;
}

/** Bindings of one scope by the names of those whom they are for: a decision makes no texts of its own to look them up. */
interface Scope {
  readonly users: Map<string, Set<Entry>>;
  readonly groups: Map<string, Set<Entry>>;
}

/**
 * All roles and bindings, indexed so that a decision looks only at the bindings that name its user or one of the user's
 * groups. Kept up to date object by object.
 */
export class PolicyIndex {
  readonly #roles = new Map<string, CompiledRules>();
  readonly #bindings = new Map<string, readonly Entry[]>();
  /** By namespace; '' holds the ClusterRoleBindings. */
  readonly #scopes = new Map<string, Scope>();

  /** @param namespace '' for a ClusterRole. */
  setRole(namespace: string, name: string, rules: readonly PolicyRule[]): void {
    this.#roles.set(keyOf(namespace, name), new CompiledRules(rules));
  }

  removeRole(namespace: string, name: string): void {
    this.#roles.delete(keyOf(namespace, name));
  }

  rulesOf({ namespace, name }: RoleRef): CompiledRules | undefined {
    return this.#roles.get(keyOf(namespace, name));
  }

  setBinding(binding: Binding): void {
    const { namespace, name } = binding;
    this.removeBinding(namespace, name);
    const entries = binding.subjects.map((subject) => ({ binding, subject }));
    this.#bindings.set(keyOf(namespace, name), entries);
    if (entries.length === 0) return;
    const scope: Scope = this.#scopes.get(namespace) ?? { users: new Map(), groups: new Map() };
    this.#scopes.set(namespace, scope);
    for (const entry of entries) {
      const { names, name: of } = placeOf(scope, entry.subject, namespace);
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
    for (const entry of entries) {
      const { names, name: of } = placeOf(scope, entry.subject, namespace);
      const all = names.get(of);
      all?.delete(entry);
      if (all?.size === 0) names.delete(of);
    }
    if (scope.users.size === 0 && scope.groups.size === 0) this.#scopes.delete(namespace);
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

  #visitScope(user: UserInfo, namespace: string, visit: Visit): boolean {
    const scope = this.#scopes.get(namespace);
    if (scope === undefined) return false;
    if (this.#visitEntries(scope.users.get(user.name), visit)) return true;
    for (const group of user.groups) {
      if (this.#visitEntries(scope.groups.get(group), visit)) return true;
    }
    return false;
  }

  #visitEntries(entries: ReadonlySet<Entry> | undefined, visit: Visit): boolean {
    if (entries === undefined) return false;
    for (const { binding, subject } of entries) {
      if (visit({ binding, subject, rules: this.rulesOf(binding.role) })) return true;
    }
    return false;
  }
}

/** Where a subject is looked up. An account is a user; one without a namespace is in the binding's. */
function placeOf(
  { users, groups }: Scope,
  { kind, name, namespace }: Subject,
  bindingNamespace: string,
): { readonly names: Map<string, Set<Entry>>; readonly name: string } {
  if (kind === 'Group') return { names: groups, name };
  if (kind !== 'ServiceAccount') return { names: users, name };
  return { names: users, name: serviceAccountUser(namespace || bindingNamespace, name) };
}

/** Neither namespaces nor names have a slash. */
function keyOf(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}
