import type { TypeChecks } from '../../schema/rules/rule-book.ts';
import type { CheckerSource } from '../expression-rules.ts';
import { deviceClass, resourceClaim, resourceClaimTemplate } from './claim.ts';
import { deviceSelector } from './selector.ts';
import { resourceSlice } from './slice.ts';

/** Rules of devices that pods claim. */
export function resourceChecks(checker: CheckerSource): TypeChecks {
  return {
    'resource.CELDeviceSelector': deviceSelector(checker),
    'resource.DeviceClass': deviceClass,
    'resource.ResourceClaim': resourceClaim,
    'resource.ResourceClaimTemplate': resourceClaimTemplate,
    'resource.ResourceSlice': resourceSlice,
  };
}
