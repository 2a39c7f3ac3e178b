import { readCommandLine, type Request } from '../app/options/command-line.ts';
import type { ServerConfiguration } from '../app/surroundings.ts';
import { RELEASE_NAME } from '../app/version.ts';
import type { Clock } from '../lib/clock.ts';
import type { ProfileName } from '../names/profile.ts';

/** What a control plane for tests can be told; nothing must be. */
export interface ControlPlaneOptions {
  /** In whose names it speaks: `orch` by default; `kubernetes` for clients that know only those. */
  readonly naming?: ProfileName;
  /** Feature gates that differ from their defaults. */
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /**
   * Controllers that run: names, `*` for all that run by default, `-name` to leave one out, as `--controllers` of `orchd` has
   * them. All that run by default, by default; none with `[]`.
   */
  readonly controllers?: readonly string[];
  /** Further flags of `orchd`, e.g. `--disable-admission-plugins=NamespaceLifecycle`. */
  readonly flags?: readonly string[];
  /** What the control plane takes for the time, timers included; the machine's own clock by default. */
  readonly clock?: Clock;
  /** From 0 up to, but not including, 1: what names made from `generateName` end in. `Math.random` by default. */
  readonly random?: () => number;
  /** Uids of new objects; random ones by default. */
  readonly newUid?: () => string;
  /** Takes the lines of the server's log, which goes nowhere by default. */
  readonly log?: (line: string) => void;
}

/** The flags that a control plane for tests decides by itself. */
const OWN_FLAGS = ['--bind-address=127.0.0.1', '--secure-port=0', '--history=0s'];

/**
 * Reads the options as the command line of `orchd`. What they come to is the same for all servers of a control plane, and
 * its forks, but for the folder of the data.
 *
 * @throws TypeError with everything that is wrong with them.
 */
export function readOptions(options: ControlPlaneOptions): ServerConfiguration {
  const { naming = 'orch', featureGates = {}, controllers, flags = [] } = options;
  const gates = Object.entries(featureGates).map(([gate, on]) => `${gate}=${on}`);
  const request = readCommandLine({
    argv: [
      ...flags,
      ...OWN_FLAGS,
      `--naming=${naming}`,
      ...(controllers === undefined ? [] : [`--controllers=${controllers.join(',')}`]),
      ...(gates.length === 0 ? [] : [`--feature-gates=${gates.join(',')}`]),
    ],
    env: {},
    machine: { workingDirectory: process.cwd(), hostname: 'localhost', addresses: [] },
    release: RELEASE_NAME,
  });
  const problems = problemsOf(request);
  if (request.kind === 'serve' && problems.length === 0) {
    const { config, names, warnings } = request;
    return { config: { ...config, kubeconfigFile: undefined }, names, warnings };
  }
  throw new TypeError(`options of a control plane: ${problems.join('; ')}`);
}

function problemsOf(request: Request): readonly string[] {
  if (request.kind === 'problems') return request.problems;
  if (request.kind !== 'serve') return ['--help and --version start nothing'];
  const { store, serving } = request.config;
  return [
    ...(store === 'etcd' ? ['its store is its own: --etcd-servers is not for tests'] : []),
    ...(serving.certificateFile === ''
      ? []
      : ['its certificates are its own: --tls-cert-file is not for tests']),
  ];
}
