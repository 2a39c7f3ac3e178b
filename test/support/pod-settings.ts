import { loadGateTable, resolveGates } from '../../src/app/options/feature-gates.ts';
import type { ProfileName } from '../../src/names/profile.ts';
import type { PodSettings } from '../../src/registry/pod/settings.ts';

/** What pods may have on a server without flags but `--allow-privileged`, as the facts were recorded. */
export function defaultPods(profile: ProfileName): PodSettings {
  const { gates } = resolveGates(loadGateTable(profile), new Map(), '1.32');
  return { allowsPrivileged: true, gate: (name) => gates.enabled(name) };
}
