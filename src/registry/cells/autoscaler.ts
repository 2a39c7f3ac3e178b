import type { JsonObject } from '../../meta/object.ts';
import { age, integer, name, row, type Cell, type RowCells } from './cell.ts';
import { objectAt, objectsAt, textAt } from '../../meta/fields.ts';

const SHOWN = 2;
const UNKNOWN = '<unknown>';

/** Where a metric's type keeps what it measures. */
const SOURCES: Record<string, string> = {
  External: 'external',
  Pods: 'pods',
  Object: 'object',
  Resource: 'resource',
  ContainerResource: 'containerResource',
};

/** One metric as `current/target`. */
function formatMetric(spec: JsonObject, status: JsonObject | undefined): string {
  const type = textAt(spec, 'type');
  const field = SOURCES[type];
  const source = field === undefined ? undefined : objectAt(spec, field);
  if (field === undefined || source === undefined) return '<unknown type>';
  const target = objectAt(source, 'target');
  const current = objectAt(objectAt(status, field), 'current');
  const average = textAt(target, 'averageValue');
  if (type === 'Resource' || type === 'ContainerResource') {
    const resource = textAt(source, 'name');
    if (average !== '') return `${resource}: ${textAt(current, 'averageValue') || UNKNOWN}/${average}`;
    return `${resource}: ${percent(current, UNKNOWN)}/${percent(target, '<auto>')}`;
  }
  if (type === 'Pods') return `${textAt(current, 'averageValue') || UNKNOWN}/${average}`;
  if (average !== '') return `${textAt(current, 'averageValue') || UNKNOWN}/${average} (avg)`;
  return `${textAt(current, 'value') || UNKNOWN}/${textAt(target, 'value')}`;
}

function percent(values: JsonObject | undefined, absent: string): string {
  const value = values?.averageUtilization;
  return typeof value === 'number' ? `${value}%` : absent;
}

const metrics: Cell = (object) => {
  const specs = objectsAt(objectAt(object, 'spec'), 'metrics');
  if (specs.length === 0) return '<none>';
  const statuses = objectsAt(objectAt(object, 'status'), 'currentMetrics');
  const shown = specs.slice(0, SHOWN).map((spec, i) => formatMetric(spec, statuses[i]));
  const more = specs.length > SHOWN ? ` + ${specs.length - SHOWN} more...` : '';
  return shown.join(', ') + more;
};

const reference: Cell = (object) => {
  const target = objectAt(objectAt(object, 'spec'), 'scaleTargetRef');
  return `${textAt(target, 'kind')}/${textAt(target, 'name')}`;
};

const minReplicas: Cell = (object) => {
  const value = objectAt(object, 'spec')?.minReplicas;
  return typeof value === 'number' ? String(value) : '<unset>';
};

/** A HorizontalPodAutoscaler's row, from its autoscaling/v2 form. */
export const autoscalerCells: Record<string, RowCells> = {
  'autoscaling.HorizontalPodAutoscaler': row(
    name,
    reference,
    metrics,
    minReplicas,
    integer('spec.maxReplicas'),
    integer('status.currentReplicas'),
    age,
  ),
};
