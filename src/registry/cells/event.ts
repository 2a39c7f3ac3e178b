import type { JsonObject } from '../../meta/object.ts';
import { elapsed, type CellValue, type RowCells } from './cell.ts';
import { numberAt, objectAt, textAt } from '../../meta/fields.ts';

/** An event's cells, from its core/v1 form. */
function coreEventCells(event: JsonObject, now: number): CellValue[] {
  const first = elapsed(event.firstTimestamp, now) ?? elapsed(event.eventTime, now) ?? '<unknown>';
  const series = objectAt(event, 'series');
  const last =
    series === undefined
      ? (elapsed(event.lastTimestamp, now) ?? first)
      : (elapsed(series.lastObservedTime, now) ?? '<unknown>');
  const count = series === undefined ? numberAt(event, 'count') || 1 : numberAt(series, 'count');
  const involved = objectAt(event, 'involvedObject');
  const kind = textAt(involved, 'kind').toLowerCase();
  const involvedName = textAt(involved, 'name');
  return [
    last,
    textAt(event, 'type'),
    textAt(event, 'reason'),
    involvedName === '' ? kind : `${kind}/${involvedName}`,
    textAt(involved, 'fieldPath'),
    eventSource(event),
    textAt(event, 'message').trim(),
    first,
    count,
    textAt(objectAt(event, 'metadata'), 'name'),
  ];
}

function eventSource(event: JsonObject): string {
  const source = objectAt(event, 'source');
  const component = textAt(source, 'component') || textAt(event, 'reportingComponent');
  const instance = textAt(source, 'host') || textAt(event, 'reportingInstance');
  return instance === '' ? component : `${component}, ${instance}`;
}

/** Rows of events. */
export const eventCells: Record<string, RowCells> = { 'core.Event': coreEventCells };
