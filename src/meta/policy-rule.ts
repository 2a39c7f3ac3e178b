/** A rule of a Role or ClusterRole, as objects have it. A list that is absent is empty. */
export interface PolicyRule {
  readonly verbs?: readonly string[];
  readonly apiGroups?: readonly string[];
  /** `resource`, `resource/subresource`, `*`, or any resource's subresource as `*` and its name. */
  readonly resources?: readonly string[];
  /** Empty: all names. */
  readonly resourceNames?: readonly string[];
  /** Paths; a `*` at the end matches any rest. */
  readonly nonResourceURLs?: readonly string[];
}
