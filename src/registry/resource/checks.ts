import type { TypeChecks } from '../../schema/rules/rule-book.ts';
import { deviceClass, resourceClaim, resourceClaimTemplate } from './claim.ts';
import { resourceSlice } from './slice.ts';

/** Rules of devices that pods claim. */
export const resourceChecks: TypeChecks = {
  'resource.DeviceClass': deviceClass,
  'resource.ResourceClaim': resourceClaim,
  'resource.ResourceClaimTemplate': resourceClaimTemplate,
  'resource.ResourceSlice': resourceSlice,
};
