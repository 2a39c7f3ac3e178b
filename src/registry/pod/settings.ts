/** How a server is set up for pods. */
export interface PodSettings {
  /** Whether containers may be privileged. */
  readonly allowsPrivileged: boolean;
  /** Whether a feature is on, by the name of its gate. */
  readonly gate: (name: string) => boolean;
}

/** With everything that there is. */
export const ANY_PODS: PodSettings = { allowsPrivileged: true, gate: () => true };
