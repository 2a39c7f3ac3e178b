/** What is known of a controller besides its name. */
interface ControllerRow {
  /** The shorter name that it had before, and that is still understood. */
  readonly short?: string;
  /** Runs only where it is named. */
  readonly offByDefault?: true;
  /**
   * The service account in the system namespace that it acts as with `--use-service-account-credentials`, to which the role
   * `system:controller:<account>` is bound. 'none': it acts as the server itself, also then.
   */
  readonly account: string;
}

/** All controllers, by name. */
const CONTROLLERS: Readonly<Record<string, ControllerRow>> = {
  'bootstrap-signer-controller': {
    short: 'bootstrapsigner',
    account: 'bootstrap-signer',
    offByDefault: true,
  },
  'certificatesigningrequest-approving-controller': {
    short: 'csrapproving',
    account: 'certificate-controller',
  },
  'certificatesigningrequest-cleaner-controller': { short: 'csrcleaner', account: 'certificate-controller' },
  'certificatesigningrequest-signing-controller': { short: 'csrsigning', account: 'certificate-controller' },
  'clusterrole-aggregation-controller': {
    short: 'clusterrole-aggregation',
    account: 'clusterrole-aggregation-controller',
  },
  'disruption-controller': { short: 'disruption', account: 'disruption-controller' },
  'garbage-collector-controller': { short: 'garbagecollector', account: 'generic-garbage-collector' },
  'legacy-serviceaccount-token-cleaner-controller': {
    short: 'legacy-service-account-token-cleaner',
    account: 'legacy-service-account-token-cleaner',
  },
  'namespace-controller': { short: 'namespace', account: 'namespace-controller' },
  'persistentvolume-protection-controller': { short: 'pv-protection', account: 'pv-protection-controller' },
  'persistentvolumeclaim-protection-controller': {
    short: 'pvc-protection',
    account: 'pvc-protection-controller',
  },
  'resourcequota-controller': { short: 'resourcequota', account: 'resourcequota-controller' },
  'root-ca-certificate-publisher-controller': {
    short: 'root-ca-cert-publisher',
    account: 'root-ca-cert-publisher',
  },
  'serviceaccount-controller': { short: 'serviceaccount', account: 'service-account-controller' },
  // It makes the very tokens that others act by.
  'serviceaccount-token-controller': { short: 'serviceaccount-token', account: 'none' },
  'token-cleaner-controller': { short: 'tokencleaner', account: 'token-cleaner', offByDefault: true },
  'ttl-after-finished-controller': { short: 'ttl-after-finished', account: 'ttl-after-finished-controller' },
};

const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(CONTROLLERS).flatMap(([name, { short = name }]) => [
    [name, name],
    [short, name],
  ]),
);

/** Whether `--controllers` asks for a controller: by its name, or by `*` for all that run by default; `-name` takes it out. */
export function runsController(controllers: readonly string[], name: string): boolean {
  const asked = controllers.map(fullName);
  if (asked.includes(name)) return true;
  if (asked.includes(`-${name}`)) return false;
  return asked.includes('*') && rowOf(name).offByDefault !== true;
}

/** The service account that is a controller's own. @returns undefined for one that is the server itself. */
export function controllerAccount(name: string): string | undefined {
  const { account } = rowOf(name);
  return account === 'none' ? undefined : account;
}

/** What is wrong with the names that `--controllers` has. */
export function checkControllers(controllers: readonly string[]): string[] {
  const unknown = controllers.filter((asked) => !isKnown(asked.replace(/^-/, '')));
  if (unknown.length === 0) return [];
  const what = unknown.map((asked) => JSON.stringify(asked)).join(', ');
  return [`--controllers: there is no ${what}; there are ${Object.keys(CONTROLLERS).join(', ')}`];
}

function isKnown(name: string): boolean {
  return name === '*' || NAMES.has(name);
}

function rowOf(name: string): ControllerRow {
  const row = CONTROLLERS[name];
  if (row === undefined) throw new Error(`nothing is known of the controller ${name}`);
  return row;
}

function fullName(asked: string): string {
  const [, minus = '', name = ''] = /^(-?)(.*)$/s.exec(asked) ?? [];
  return `${minus}${NAMES.get(name) ?? name}`;
}
