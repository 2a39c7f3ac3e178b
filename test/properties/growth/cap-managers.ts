import type { ManagedFieldsEntry } from '../../../src/meta/object.ts';
import { capUpdateManagers } from '../../../src/schema/ownership/cap-managers.ts';

/** A record of many managers, each of which updated a field of its own. */
export default function cap(size: number): Promise<() => unknown> {
  const managers: ManagedFieldsEntry[] = Array.from({ length: size }, (_, i) => ({
    manager: `m${i}`,
    operation: 'Update',
    apiVersion: 'v1',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:data': { [`f:k${i}`]: {} } },
  }));
  return Promise.resolve(() => capUpdateManagers(managers));
}
