/** What `/version` says of a server, and `orchctl version` of itself. */
export interface VersionInfo {
  readonly major: string;
  readonly minor: string;
  /** `v1.32.13+orch` */
  readonly gitVersion: string;
  readonly gitCommit: string;
  readonly gitTreeState: string;
  /** RFC 3339. */
  readonly buildDate: string;
  readonly goVersion: string;
  readonly compiler: string;
  readonly platform: string;
}
