/** Every plugin that the interface knows, in the order in which they are asked, and whether it runs where no flag says so. */
const PLUGINS: readonly (readonly [name: string, byDefault: 'on' | 'off'])[] = [
  ['AlwaysAdmit', 'off'],
  ['NamespaceAutoProvision', 'off'],
  ['NamespaceLifecycle', 'on'],
  ['NamespaceExists', 'off'],
  ['LimitPodHardAntiAffinityTopology', 'off'],
  ['LimitRanger', 'on'],
  ['ServiceAccount', 'on'],
  ['NodeRestriction', 'off'],
  ['TaintNodesByCondition', 'on'],
  ['AlwaysPullImages', 'off'],
  ['ImagePolicyWebhook', 'off'],
  ['PodSecurity', 'on'],
  ['PodNodeSelector', 'off'],
  ['Priority', 'on'],
  ['DefaultTolerationSeconds', 'on'],
  ['PodTolerationRestriction', 'off'],
  ['EventRateLimit', 'off'],
  ['ExtendedResourceToleration', 'off'],
  ['DefaultStorageClass', 'on'],
  ['StorageObjectInUseProtection', 'on'],
  ['OwnerReferencesPermissionEnforcement', 'off'],
  ['PersistentVolumeClaimResize', 'on'],
  ['RuntimeClass', 'on'],
  ['CertificateApproval', 'on'],
  ['CertificateSigning', 'on'],
  ['ClusterTrustBundleAttest', 'on'],
  ['CertificateSubjectRestriction', 'on'],
  ['DefaultIngressClass', 'on'],
  ['DenyServiceExternalIPs', 'off'],
  ['MutatingAdmissionPolicy', 'on'],
  ['MutatingAdmissionWebhook', 'on'],
  ['ValidatingAdmissionPolicy', 'on'],
  ['ValidatingAdmissionWebhook', 'on'],
  ['ResourceQuota', 'on'],
  ['AlwaysDeny', 'off'],
];

/** The plugins in the order in which they are asked. */
export const PLUGIN_ORDER: readonly string[] = PLUGINS.map(([name]) => name);

/** Those that run where no flag says otherwise. */
const PLUGINS_BY_DEFAULT: ReadonlySet<string> = new Set(
  PLUGINS.flatMap(([name, byDefault]) => (byDefault === 'on' ? [name] : [])),
);

/** What the flags `--enable-admission-plugins` and `--disable-admission-plugins` say. */
export interface PluginChoice {
  readonly enabled: readonly string[];
  readonly disabled: readonly string[];
}

/** The choice of these and no others, which the flag `--admission-control` makes. */
export function exactly(plugins: readonly string[]): PluginChoice {
  return { enabled: plugins, disabled: PLUGIN_ORDER.filter((name) => !plugins.includes(name)) };
}

/** Those of `plugins` that run, in order. What is both enabled and disabled runs, as the interface has it. */
export function choosePlugins<Plugin extends { readonly name: string }>(
  plugins: readonly Plugin[],
  { enabled, disabled }: PluginChoice,
): readonly Plugin[] {
  const runs = ({ name }: Plugin): boolean =>
    enabled.includes(name) || (PLUGINS_BY_DEFAULT.has(name) && !disabled.includes(name));
  return plugins.filter(runs).sort((a, b) => PLUGIN_ORDER.indexOf(a.name) - PLUGIN_ORDER.indexOf(b.name));
}
