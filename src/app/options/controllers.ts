/** Controllers that run only where they are named. */
const OFF_BY_DEFAULT: ReadonlySet<string> = new Set([
  'bootstrap-signer-controller',
  'token-cleaner-controller',
]);

/** Shorter names that controllers had before, and that are still understood. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['bootstrapsigner', 'bootstrap-signer-controller'],
  ['clusterrole-aggregation', 'clusterrole-aggregation-controller'],
  ['csrapproving', 'certificatesigningrequest-approving-controller'],
  ['csrcleaner', 'certificatesigningrequest-cleaner-controller'],
  ['csrsigning', 'certificatesigningrequest-signing-controller'],
  ['legacy-service-account-token-cleaner', 'legacy-serviceaccount-token-cleaner-controller'],
  ['namespace', 'namespace-controller'],
  ['garbagecollector', 'garbage-collector-controller'],
  ['disruption', 'disruption-controller'],
  ['ttl-after-finished', 'ttl-after-finished-controller'],
  ['pv-protection', 'persistentvolume-protection-controller'],
  ['pvc-protection', 'persistentvolumeclaim-protection-controller'],
  ['resourcequota', 'resourcequota-controller'],
  ['root-ca-cert-publisher', 'root-ca-certificate-publisher-controller'],
  ['serviceaccount', 'serviceaccount-controller'],
  ['serviceaccount-token', 'serviceaccount-token-controller'],
  ['tokencleaner', 'token-cleaner-controller'],
]);

/** Whether `--controllers` asks for a controller: by its name, or by `*` for all that run by default; `-name` takes it out. */
export function runsController(controllers: readonly string[], name: string): boolean {
  const asked = controllers.map(fullName);
  if (asked.includes(name)) return true;
  if (asked.includes(`-${name}`)) return false;
  return asked.includes('*') && !OFF_BY_DEFAULT.has(name);
}

function fullName(asked: string): string {
  const [, minus = '', name = ''] = /^(-?)(.*)$/s.exec(asked) ?? [];
  return `${minus}${OTHER_NAMES.get(name) ?? name}`;
}
