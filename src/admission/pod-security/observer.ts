import type { AdmissionRequest } from '../admission.ts';
import type { LevelVersion, Mode } from './policy.ts';

/** What becomes of requests, for metrics. */
export interface PodSecurityObserver {
  /** A policy was held against a pod, or against what makes pods. */
  evaluated(decision: 'allow' | 'deny', policy: LevelVersion, mode: Mode, request: AdmissionRequest): void;
  /** Nobody looked, as the configuration says. */
  exempted(request: AdmissionRequest): void;
  /** Something couldn't be read. @param fatal whether the request failed for it */
  failed(fatal: boolean, request: AdmissionRequest): void;
}
