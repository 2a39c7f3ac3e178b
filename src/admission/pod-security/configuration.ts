import { UNRESTRICTED, type Policy } from './policy.ts';

/** What holds beside the labels of namespaces. */
export interface PodSecurityConfiguration {
  /** Where a namespace has no label. */
  readonly defaults: Policy;
  /** Who and what is not looked at. */
  readonly exemptions: {
    readonly users: ReadonlySet<string>;
    readonly namespaces: ReadonlySet<string>;
    readonly runtimeClasses: ReadonlySet<string>;
  };
}

export const NO_CONFIGURATION: PodSecurityConfiguration = {
  defaults: UNRESTRICTED,
  exemptions: { users: new Set(), namespaces: new Set(), runtimeClasses: new Set() },
};
