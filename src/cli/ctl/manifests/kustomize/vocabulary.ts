import { loadNames } from '../../../../names/load.ts';
import type { NamingProfile, ProfileName } from '../../../../names/profile.ts';
import { loadSchemas } from '../../../../schema/load.ts';
import type { SchemaRegistry, StructType } from '../../../../schema/model.ts';

export interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** What is known about kinds without asking a server, in the names of any profile: kustomizations are built offline. */
export interface Vocabulary {
  /** Whether a group has the name that an identifier stands for, in some profile. */
  isGroup(group: string, id: string): boolean;
  /** Whether a kind is known to live outside namespaces; unknown ones live inside. */
  isClusterScoped(kind: Kind): boolean;
  /** A built-in kind's type, for merges. */
  typeOf(kind: Kind): StructType | undefined;
  /** The annotation that keeps a resource out of what is built. */
  isLocalConfig(annotation: string): boolean;
  /** Annotations of ingress controllers that name objects: their full names, in each profile. */
  ingressAnnotations(name: string): readonly string[];
  /** The groups that a kustomization file may say it is of. */
  kustomizationGroups(): readonly string[];
}

const PROFILES: readonly ProfileName[] = ['kubernetes', 'orch'];

/** The vocabulary of both profiles. Types are read when they are first needed. */
export class BuiltInVocabulary implements Vocabulary {
  readonly #names: readonly NamingProfile[] = PROFILES.map((profile) => loadNames({ profile }));
  #registries: readonly SchemaRegistry[] | undefined;

  isGroup(group: string, id: string): boolean {
    return this.#names.some((names) => names.get(id) === group);
  }

  isClusterScoped({ group, version, kind }: Kind): boolean {
    return this.#schemas().some(
      (schemas) => schemas.resourceForKind(group, version, kind)?.namespaced === false,
    );
  }

  typeOf({ group, version, kind }: Kind): StructType | undefined {
    for (const schemas of this.#schemas()) {
      const type = schemas.decodable(group, version, kind);
      if (type !== undefined) return type;
    }
    return undefined;
  }

  isLocalConfig(annotation: string): boolean {
    return this.#labelDomains('config.').some((domain) => annotation === `${domain}/local-config`);
  }

  ingressAnnotations(name: string): readonly string[] {
    return this.#labelDomains('').map((domain) => name.replace('DOMAIN', domain));
  }

  kustomizationGroups(): readonly string[] {
    return this.#names.map((names) => `kustomize.config.${names.get('domain.groups')}`);
  }

  #labelDomains(prefix: string): string[] {
    return this.#names.map((names) => `${prefix}${names.get('domain.labels')}`);
  }

  #schemas(): readonly SchemaRegistry[] {
    const everything = { enabled: () => true, gate: () => true };
    this.#registries ??= PROFILES.map((profile) => loadSchemas({ profile, ...everything }));
    return this.#registries;
  }
}
