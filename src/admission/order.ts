/** Every plugin that the interface knows, in the order in which they are asked. */
export const PLUGIN_ORDER: readonly string[] = [
  'AlwaysAdmit',
  'NamespaceAutoProvision',
  'NamespaceLifecycle',
  'NamespaceExists',
  'LimitPodHardAntiAffinityTopology',
  'LimitRanger',
  'ServiceAccount',
  'NodeRestriction',
  'TaintNodesByCondition',
  'AlwaysPullImages',
  'ImagePolicyWebhook',
  'PodSecurity',
  'PodNodeSelector',
  'Priority',
  'DefaultTolerationSeconds',
  'PodTolerationRestriction',
  'EventRateLimit',
  'ExtendedResourceToleration',
  'DefaultStorageClass',
  'StorageObjectInUseProtection',
  'OwnerReferencesPermissionEnforcement',
  'PersistentVolumeClaimResize',
  'RuntimeClass',
  'CertificateApproval',
  'CertificateSigning',
  'ClusterTrustBundleAttest',
  'CertificateSubjectRestriction',
  'DefaultIngressClass',
  'DenyServiceExternalIPs',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionWebhook',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionWebhook',
  'ResourceQuota',
  'AlwaysDeny',
];

/** Those that run where no flag says otherwise. */
export const PLUGINS_BY_DEFAULT: ReadonlySet<string> = new Set([
  'NamespaceLifecycle',
  'LimitRanger',
  'ServiceAccount',
  'TaintNodesByCondition',
  'PodSecurity',
  'Priority',
  'DefaultTolerationSeconds',
  'DefaultStorageClass',
  'StorageObjectInUseProtection',
  'PersistentVolumeClaimResize',
  'RuntimeClass',
  'CertificateApproval',
  'CertificateSigning',
  'ClusterTrustBundleAttest',
  'CertificateSubjectRestriction',
  'DefaultIngressClass',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionWebhook',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionWebhook',
  'ResourceQuota',
]);

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
