import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { refused } from '../refused.ts';

/** Allows everything; for those who name it. */
export function alwaysAdmit(): AdmissionPlugin {
  return { name: 'AlwaysAdmit', operations: [] };
}

/** Refuses every change. */
export function alwaysDeny(): AdmissionPlugin {
  const refuse = (request: AdmissionRequest): Promise<void> =>
    Promise.reject(refused(request, 'admission refuses all changes'));
  return {
    name: 'AlwaysDeny',
    operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'],
    mutate: refuse,
    validate: refuse,
  };
}
