import type { JsonObject, ObjectMeta } from '../../../meta/object.ts';
import type { NamingProfile } from '../../../names/profile.ts';
import type { PodTemplate } from './workload.ts';

/** What a workload was like. */
export interface Revision {
  readonly number: number;
  /** What `-o` shows of it: a replica set, or the workload as it was. */
  readonly object: JsonObject;
  readonly template: PodTemplate;
  /** '' where nobody said. */
  readonly changeCause: string;
  /** Annotations that come back with it. */
  readonly annotations: Readonly<Record<string, string>>;
  /** As its controller wrote it down, for kinds that keep patches. */
  readonly patch?: JsonObject;
}

/** The revision that a deployment or one of its replica sets says it has; 0 for none, undefined for what is no number. */
export function revisionNumber(
  { metadata }: { readonly metadata: ObjectMeta },
  names: NamingProfile,
): number | undefined {
  const text = annotationsOf(metadata)[names.get('annotation.deployment-revision')];
  if (text === undefined) return 0;
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

export function annotationsOf({ annotations }: ObjectMeta): Readonly<Record<string, string>> {
  return annotations ?? {};
}
