import type { NamingProfile } from '../../names/profile.ts';

/** The labels by which a job's pods are kept apart from those of every other job. */
export interface JobLabels {
  readonly uid: string;
  readonly name: string;
  /** What older controllers look for. */
  readonly legacyUid: string;
  readonly legacyName: string;
}

/** Their names in a profile. */
export function jobLabels(names: NamingProfile): JobLabels {
  return {
    uid: names.get('label.job-controller-uid'),
    name: names.get('label.job-name'),
    legacyUid: 'controller-uid',
    legacyName: 'job-name',
  };
}
