import type { JsonObject } from '../../meta/object.ts';
import type { NamingProfile } from '../../names/profile.ts';
import type { ResourceDefinition } from '../../schema/model.ts';
import { kindKey } from '../kind-key.ts';
import { autoscalerCells } from './autoscaler.ts';
import { name, row, type CellValue, type RowCells } from './cell.ts';
import { get } from '../../meta/fields.ts';
import { configurationCells } from './configuration.ts';
import { eventCells } from './event.ts';
import { networkCells } from './network.ts';
import { podRowConditions } from './pod.ts';
import { storageCells } from './storage.ts';
import { workloadCells } from './workloads.ts';

/** One row of a Table, without the object. */
export interface TableRow {
  readonly cells: readonly CellValue[];
  readonly conditions?: readonly JsonObject[];
}

/**
 * Makes the row of an object of a resource, which is in the version that it is stored in: other forms of it may tell less.
 *
 * @param now milliseconds since 1970.
 */
export type RowMaker = (resource: ResourceDefinition, stored: JsonObject, now: number) => TableRow;

const created = get('metadata.creationTimestamp');

/** The row of a kind without columns: name and creation time. */
const plainRow: RowCells = row(name, (object) => {
  const value = created(object);
  return typeof value === 'string' ? value : '';
});

/** The rows of all built-in kinds. */
export function createRowMaker(names: NamingProfile): RowMaker {
  const rows = new Map<string, RowCells>(
    Object.entries({
      ...workloadCells,
      ...autoscalerCells,
      ...eventCells,
      ...networkCells,
      ...storageCells(names),
      ...configurationCells(names),
    }),
  );
  return function makeRow(resource, stored, now) {
    const key = kindKey(resource);
    const cells = key === undefined ? undefined : rows.get(key);
    if (cells === undefined) return { cells: plainRow(stored, now) };
    const conditions = key === 'core.Pod' ? podRowConditions(stored) : undefined;
    const row = cells(stored, now);
    return conditions === undefined ? { cells: row } : { cells: row, conditions };
  };
}
