import { objectAt } from '../../meta/fields.ts';
import type { ApiObject, Json } from '../../meta/object.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { only } from '../only.ts';
import { refused } from '../refused.ts';

/** Lets services take no external addresses but those that they have. */
export function denyServiceExternalIPs(): AdmissionPlugin {
  return {
    name: 'DenyServiceExternalIPs',
    operations: ['CREATE', 'UPDATE'],
    concerns: only('services'),
    validate(request) {
      if (request.subresource !== '') return;
      const old = addressesOf(request.oldObject);
      if (addressesOf(request.object).every((address) => old.includes(address))) return;
      throw refused(request, 'spec.externalIPs: Use of external IPs is denied by admission control');
    },
  };
}

function addressesOf(service: ApiObject | undefined): Json[] {
  const addresses = objectAt(service, 'spec')?.['externalIPs'];
  return Array.isArray(addresses) ? addresses : [];
}
