/** Control planes for tests: started in the process of the test, with faults, snapshots and forks. See docs/testing.md. */
export { startControlPlane, type TestControlPlane } from './control-plane.ts';
export type { Fault, InjectedFault } from './faults/fault.ts';
export type { Faults } from './faults/faults.ts';
export type { FaultMatch, FaultRequest } from './faults/match.ts';
export type { ControlPlaneOptions } from './options.ts';
export type { Snapshot } from './snapshot.ts';
export type { Clock } from '../lib/clock.ts';
