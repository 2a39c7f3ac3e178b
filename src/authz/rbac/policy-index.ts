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

/** Bindings of one scope by the subjects that they are for. */
type Scope = Map<string, Set<Entry>>;

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
    const scope = this.#scopes.get(namespace) ?? new Map<string, Set<Entry>>();
    this.#scopes.set(namespace, scope);
    for (const entry of entries) {
      const key = subjectKey(entry.subject, namespace);
      const all = scope.get(key);
      if (all === undefined) scope.set(key, new Set([entry]));
      else all.add(entry);
    }
  }

  removeBinding(namespace: string, name: string): void {
    const key = keyOf(namespace, name);
    const scope = this.#scopes.get(namespace);
    for (const entry of this.#bindings.get(key) ?? []) {
      const of = subjectKey(entry.subject, namespace);
      const all = scope?.get(of);
      all?.delete(entry);
      if (all?.size === 0) scope?.delete(of);
    }
    if (scope?.size === 0) this.#scopes.delete(namespace);
    this.#bindings.delete(key);
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
    if (this.#visitEntries(scope.get(USER + user.name), visit)) return true;
    for (const group of user.groups) {
      if (this.#visitEntries(scope.get(GROUP + group), visit)) return true;
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

const USER = 'u:';
const GROUP = 'g:';

function subjectKey({ kind, name, namespace }: Subject, bindingNamespace: string): string {
  if (kind === 'Group') return GROUP + name;
  // An account is a user; one without a namespace is in the binding's.
  return kind === 'ServiceAccount'
    ? USER + serviceAccountUser(namespace || bindingNamespace, name)
    : USER + name;
}

/** Neither namespaces nor names have a slash. */
function keyOf(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}
