/**
 * A naming profile: every domain name of the interface, as data (`schemas/names/<profile>.yaml`). The two profiles list
 * the same identifiers; nothing outside `names/` and `schemas/` spells a domain.
 *
 * Identifiers have a part that says what they name: `group.rbac`, `label.metadata-name`, `annotation.…`,
 * `finalizer.…`, `mediaType.protobuf`, `namespace.system`, `secretType.…`, `extension.list-type`.
 */
export interface NamingProfile {
  readonly name: ProfileName;
  /** The name behind an identifier. @throws Error for an identifier that the profile doesn't list (a bug of ours). */
  get(id: string): string;
  /** All identifiers, sorted. */
  ids(): readonly string[];
}

/** The profiles that exist. `orch` is the default; `kubernetes` serves existing clients unchanged. */
export type ProfileName = 'orch' | 'kubernetes';
