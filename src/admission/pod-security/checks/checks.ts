import type { LevelVersion } from '../policy.ts';
import {
  exceptOwnUsers,
  exceptWindows,
  type Check,
  type PodView,
  type Rule,
  type Violation,
} from './check.ts';
import { hostNamespaces, hostPathVolumes, hostPorts, restrictedVolumes, windowsHostProcess } from './host.ts';
import {
  allowPrivilegeEscalation,
  defaultCapabilities,
  noCapabilities,
  privileged,
  procMount,
  runAsNonRoot,
  runAsUser,
  sysctls,
} from './privileges.ts';
import {
  appArmorProfile,
  seccompAnnotations,
  seccompProfile,
  seccompProfileSet,
  seLinuxOptions,
  type ProfileAnnotations,
} from './profiles.ts';

const SYSCTLS = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
];
const SYSCTLS_27 = [...SYSCTLS, 'net.ipv4.ip_local_reserved_ports'];
const SYSCTLS_29 = [
  ...SYSCTLS_27,
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
];
const SYSCTLS_32 = [...SYSCTLS_29, 'net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem'];
const SELINUX = ['', 'container_t', 'container_init_t', 'container_kvm_t'];

export interface CheckOptions {
  readonly annotations: ProfileAnnotations;
  /** Whether pods whose users are none on the host may run as root (gate UserNamespacesPodSecurityStandards). */
  readonly trustsUserNamespaces: boolean;
}

/** All rules, in the order in which violations are told. */
export function allChecks({ annotations, trustsUserNamespaces }: CheckOptions): readonly Check[] {
  const ofUsers = (rule: Rule): Rule => (trustsUserNamespaces ? exceptOwnUsers(rule) : rule);
  const set = (names: readonly string[]): ReadonlySet<string> => new Set(names);
  return [
    { id: 'appArmorProfile', level: 'baseline', since: [[0, appArmorProfile(annotations)]] },
    { id: 'capabilities_baseline', level: 'baseline', since: [[0, defaultCapabilities]] },
    { id: 'hostNamespaces', level: 'baseline', since: [[0, hostNamespaces]] },
    { id: 'hostPathVolumes', level: 'baseline', since: [[0, hostPathVolumes]] },
    { id: 'hostPorts', level: 'baseline', since: [[0, hostPorts]] },
    { id: 'privileged', level: 'baseline', since: [[0, privileged]] },
    { id: 'procMount', level: 'baseline', since: [[0, ofUsers(procMount)]] },
    {
      id: 'seLinuxOptions',
      level: 'baseline',
      since: [
        [0, seLinuxOptions(set(SELINUX))],
        [31, seLinuxOptions(set([...SELINUX, 'container_engine_t']))],
      ],
    },
    {
      id: 'seccompProfile_baseline',
      level: 'baseline',
      since: [
        [0, seccompAnnotations(annotations)],
        [19, seccompProfile],
      ],
    },
    {
      id: 'sysctls',
      level: 'baseline',
      since: [
        [0, sysctls(set(SYSCTLS))],
        [27, sysctls(set(SYSCTLS_27))],
        [29, sysctls(set(SYSCTLS_29))],
        [32, sysctls(set(SYSCTLS_32))],
      ],
    },
    { id: 'windowsHostProcess', level: 'baseline', since: [[0, windowsHostProcess]] },
    {
      id: 'allowPrivilegeEscalation',
      level: 'restricted',
      since: [
        [8, allowPrivilegeEscalation],
        [25, exceptWindows(allowPrivilegeEscalation)],
      ],
    },
    {
      id: 'capabilities_restricted',
      level: 'restricted',
      since: [
        [22, noCapabilities],
        [25, exceptWindows(noCapabilities)],
      ],
      replaces: 'capabilities_baseline',
    },
    {
      id: 'restrictedVolumes',
      level: 'restricted',
      since: [[0, restrictedVolumes]],
      replaces: 'hostPathVolumes',
    },
    { id: 'runAsNonRoot', level: 'restricted', since: [[0, ofUsers(runAsNonRoot)]] },
    { id: 'runAsUser', level: 'restricted', since: [[23, ofUsers(runAsUser)]] },
    {
      id: 'seccompProfile_restricted',
      level: 'restricted',
      since: [
        [19, seccompProfileSet],
        [25, exceptWindows(seccompProfileSet)],
      ],
      replaces: 'seccompProfile_baseline',
    },
  ];
}

/** What of a pod breaks a policy; nothing where all is well. */
export type Evaluate = (policy: LevelVersion, pod: PodView) => readonly Violation[];

/** The rules of each level and release are chosen once. */
export function evaluator(checks: readonly Check[]): Evaluate {
  const newest = Math.max(...checks.flatMap(({ since }) => since.map(([minor]) => minor)));
  const chosen = new Map<string, readonly Rule[]>();
  return function evaluate({ level, version }, pod) {
    if (level === 'privileged') return [];
    const minor = Math.min(version, newest);
    const key = `${level} ${minor}`;
    let rules = chosen.get(key);
    if (rules === undefined) {
      rules = rulesOf(checks, level, minor);
      chosen.set(key, rules);
    }
    return rules.flatMap((rule) => rule(pod) ?? []);
  };
}

function rulesOf(checks: readonly Check[], level: 'baseline' | 'restricted', minor: number): Rule[] {
  const exists = ({ since }: Check): boolean => since.some(([first]) => first <= minor);
  const ofLevel = checks.filter(
    (check) => (level === 'restricted' || check.level === level) && exists(check),
  );
  const replaced = new Set(ofLevel.map(({ replaces }) => replaces));
  return ofLevel
    .filter(({ id }) => !replaced.has(id))
    .flatMap(({ since }) => since.findLast(([first]) => first <= minor)?.[1] ?? []);
}

/** `reason (detail), …`. */
export function inDetail(violations: readonly Violation[]): string {
  return violations
    .map(({ reason, detail }) => (detail === '' ? reason : `${reason} (${detail})`))
    .join(', ');
}

/** `reason, …`. */
export function inBrief(violations: readonly Violation[]): string {
  return violations.map(({ reason }) => reason).join(', ');
}
