import type { NamingProfile } from '../../../names/profile.ts';

/** A pod in the parts that matter here. */
export interface Pod {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid?: string;
    readonly deletionTimestamp?: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly {
      readonly kind?: string;
      readonly name?: string;
      readonly controller?: boolean;
    }[];
  };
  readonly spec?: { readonly volumes?: readonly { readonly emptyDir?: object }[] };
  readonly status?: { readonly phase?: string };
}

export interface DrainRules {
  readonly force: boolean;
  readonly 'ignore-daemonsets': boolean;
  readonly 'delete-emptydir-data': boolean;
  readonly 'skip-wait-for-delete-timeout': number;
}

/** What becomes of a pod: it goes, it stays, or it keeps the node from being drained; and what is told of that. */
export interface Verdict {
  readonly fate: 'goes' | 'stays' | 'forbids';
  readonly message?: string;
}

/** What judges need besides the pod. */
export interface Judging {
  readonly rules: DrainRules;
  readonly names: NamingProfile;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** @returns what the server says where there is no such daemon set, else undefined. @throws ServerError */
  readonly missingDaemonSet: (namespace: string, name: string) => Promise<string | undefined>;
}

type Judge = (pod: Pod, judging: Judging) => Verdict | Promise<Verdict>;

const GOES: Verdict = { fate: 'goes' };
const STAYS: Verdict = { fate: 'stays' };

/** In this order; the first that doesn't let a pod go decides, else the last. */
const JUDGES: readonly Judge[] = [
  (pod, { rules, now }) => (isLeftBehind(pod, rules, now) ? STAYS : GOES),
  judgeDaemon,
  ({ metadata }, { names }) =>
    metadata.annotations?.[names.get('annotation.config-mirror')] === undefined ? GOES : STAYS,
  judgeStorage,
  judgeUnmanaged,
];

/** Whether and why a pod goes, when its node is drained. @throws ServerError */
export async function judgePod(pod: Pod, judging: Judging): Promise<Verdict> {
  let verdict = GOES;
  for (const judge of JUDGES) {
    verdict = await judge(pod, judging);
    if (verdict.fate !== 'goes') break;
  }
  return verdict;
}

/** Whether a pod was told to go so long ago that nobody waits for it. */
export function isLeftBehind({ metadata }: Pod, rules: DrainRules, now: number): boolean {
  const limit = rules['skip-wait-for-delete-timeout'];
  const { deletionTimestamp } = metadata;
  if (limit <= 0 || deletionTimestamp === undefined) return false;
  return Math.trunc((now - Date.parse(deletionTimestamp)) / 1000) > limit;
}

async function judgeDaemon(pod: Pod, { rules, missingDaemonSet }: Judging): Promise<Verdict> {
  const owner = controllerOf(pod);
  if (owner?.kind !== 'DaemonSet' || hasEnded(pod)) return GOES;
  const missing = await missingDaemonSet(pod.metadata.namespace, owner.name ?? '');
  if (missing !== undefined) return { fate: rules.force ? 'goes' : 'forbids', message: missing };
  return rules['ignore-daemonsets']
    ? { fate: 'stays', message: 'ignoring DaemonSet-managed Pods' }
    : { fate: 'forbids', message: 'DaemonSet-managed Pods (use --ignore-daemonsets to ignore)' };
}

function judgeStorage(pod: Pod, { rules }: Judging): Verdict {
  const isLocal = pod.spec?.volumes?.some(({ emptyDir }) => emptyDir !== undefined) === true;
  if (!isLocal || hasEnded(pod)) return GOES;
  return rules['delete-emptydir-data']
    ? { fate: 'goes', message: 'deleting Pods with local storage' }
    : { fate: 'forbids', message: 'Pods with local storage (use --delete-emptydir-data to override)' };
}

function judgeUnmanaged(pod: Pod, { rules }: Judging): Verdict {
  if (hasEnded(pod) || controllerOf(pod) !== undefined) return GOES;
  return rules.force
    ? { fate: 'goes', message: 'deleting Pods that declare no controller' }
    : {
        fate: 'forbids',
        message: 'Pods that declare no controller (use --force to override)',
      };
}

function hasEnded({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

function controllerOf({ metadata }: Pod): { readonly kind?: string; readonly name?: string } | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller === true);
}
