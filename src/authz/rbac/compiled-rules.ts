import type { RequestInfo } from '../../request/request-info.ts';
import type { PolicyRule } from '../../meta/policy-rule.ts';
import { ALL } from './policy.ts';

/** What a rule allows on the resources that it names. Undefined stands for everything. */
interface Grant {
  readonly verbs: ReadonlySet<string> | undefined;
  readonly groups: ReadonlySet<string> | undefined;
  readonly names: ReadonlySet<string> | undefined;
}

interface PathGrant {
  readonly verbs: ReadonlySet<string> | undefined;
  readonly path: string;
}

const EVERY_RESOURCE: readonly string[] = [ALL];

/** The rules of a role, ready to be asked: only those that name the resource are looked at. */
export class CompiledRules {
  /** As they were written. */
  readonly rules: readonly PolicyRule[];
  readonly #grants = new Map<string, Grant[]>();
  readonly #paths = new Map<string, PathGrant[]>();
  readonly #prefixes: PathGrant[] = [];

  constructor(rules: readonly PolicyRule[]) {
    this.rules = rules;
    for (const rule of rules) this.#add(rule);
  }

  allows(info: RequestInfo): boolean {
    return info.isResourceRequest ? this.#allowsResource(info) : this.#allowsPath(info.verb, info.path);
  }

  #add(rule: PolicyRule): void {
    const verbs = setOf(rule.verbs);
    const names = rule.resourceNames ?? [];
    const grant = {
      verbs,
      groups: setOf(rule.apiGroups),
      names: names.length === 0 ? undefined : new Set(names),
    };
    const resources = rule.resources ?? [];
    for (const resource of resources.includes(ALL) ? EVERY_RESOURCE : resources) {
      append(this.#grants, resource, grant);
    }
    for (const path of rule.nonResourceURLs ?? []) {
      if (path.endsWith(ALL)) this.#prefixes.push({ verbs, path: path.replace(/\*+$/, '') });
      else append(this.#paths, path, { verbs, path });
    }
  }

  #allowsResource(info: RequestInfo): boolean {
    const { resource, subresource } = info;
    const grants = this.#grants;
    if (isGranted(grants.get(ALL), info)) return true;
    if (subresource === '') return isGranted(grants.get(resource), info);
    return (
      isGranted(grants.get(`${resource}/${subresource}`), info) ||
      isGranted(grants.get(`${ALL}/${subresource}`), info)
    );
  }

  #allowsPath(verb: string, path: string): boolean {
    const has = ({ verbs }: PathGrant): boolean => verbs === undefined || verbs.has(verb);
    return (
      this.#paths.get(path)?.some(has) === true ||
      this.#prefixes.some((grant) => path.startsWith(grant.path) && has(grant))
    );
  }
}

function isGranted(grants: readonly Grant[] | undefined, info: RequestInfo): boolean {
  if (grants === undefined) return false;
  for (const { verbs, groups, names } of grants) {
    if (verbs !== undefined && !verbs.has(info.verb)) continue;
    if (groups !== undefined && !groups.has(info.group)) continue;
    if (names === undefined || names.has(info.name)) return true;
  }
  return false;
}

function setOf(values: readonly string[] = []): ReadonlySet<string> | undefined {
  return values.includes(ALL) ? undefined : new Set(values);
}

function append<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}
