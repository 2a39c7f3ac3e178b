import type { Decision } from '../authorizer.ts';
import type { CompiledRules } from './compiled-rules.ts';
import type { Binding, Subject } from './policy.ts';

/** Where a role is, or would be: bindings keep it, so that no decision has to look a role up. */
export interface RolePlace {
  /** Undefined: there is no such role. */
  rules: CompiledRules | undefined;
  /** Of bindings, how many subjects keep it. */
  uses: number;
}

/** A binding as it applies to one of its subjects, with the role that it binds, as that is at any time. */
export class Applied {
  readonly binding: Binding;
  readonly subject: Subject;
  readonly place: RolePlace;
  #grant: Decision | undefined;

  constructor(binding: Binding, subject: Subject, place: RolePlace) {
    this.binding = binding;
    this.subject = subject;
    this.place = place;
  }

  /** Undefined: there is no such role. */
  get rules(): CompiledRules | undefined {
    return this.place.rules;
  }

  /** What is decided where the rules allow something. */
  get grant(): Decision {
    return (this.#grant ??= { verdict: 'allow', reason: describeGrant(this.binding, this.subject) });
  }
}

function describeGrant(binding: Binding, subject: Subject): string {
  const { kind, name } = binding.role;
  return `RBAC: allowed by ${describeBinding(binding)} of ${kind} ${quote(name)} to ${describeSubject(subject, binding)}`;
}

function describeBinding({ namespace, name }: Binding): string {
  return namespace === ''
    ? `ClusterRoleBinding ${quote(name)}`
    : `RoleBinding ${quote(`${name}/${namespace}`)}`;
}

function describeSubject({ kind, name, namespace }: Subject, binding: Binding): string {
  const of = kind === 'ServiceAccount' ? `${name}/${namespace || binding.namespace}` : name;
  return `${kind} ${quote(of)}`;
}

function quote(text: string): string {
  return JSON.stringify(text);
}
