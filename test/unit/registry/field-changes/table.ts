import type { Release } from './change.ts';
import { FLOW_CONTROL } from './flow-control.ts';
import { SINCE_1_16 } from './since-1.16.ts';
import { SINCE_1_22 } from './since-1.22.ts';
import { SINCE_1_25 } from './since-1.25.ts';

/** Every removed version of the interface, and what changed with its successor. */
export const TABLE: readonly Release[] = [...FLOW_CONTROL, ...SINCE_1_25, ...SINCE_1_22, ...SINCE_1_16];
