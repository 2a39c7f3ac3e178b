import { loadNames } from '../../names/load.ts';
import type { NamingProfile } from '../../names/profile.ts';

/** Every naming profile there is. */
export function allProfiles(): readonly NamingProfile[] {
  return [loadNames({ profile: 'orch' }), loadNames({ profile: 'kubernetes' })];
}

/** The profile whose groups a server has; undefined when it has none. */
export function profileOf(
  groups: readonly string[],
  profiles: readonly NamingProfile[],
): NamingProfile | undefined {
  return profiles.find((profile) => groupNames(profile).some((name) => groups.includes(name)));
}

/** What one profile calls a group of another; undefined where it is no group of the other, or is called the same. */
export function renamedGroup(
  group: string,
  to: NamingProfile,
  profiles: readonly NamingProfile[],
): string | undefined {
  for (const profile of profiles) {
    const id = groupIds(profile).find((one) => profile.get(one) === group);
    if (id !== undefined && to.get(id) !== group) return to.get(id);
  }
  return undefined;
}

function groupIds(profile: NamingProfile): string[] {
  return profile.ids().filter((id) => id.startsWith('group.'));
}

function groupNames(profile: NamingProfile): string[] {
  return groupIds(profile).map((id) => profile.get(id));
}
