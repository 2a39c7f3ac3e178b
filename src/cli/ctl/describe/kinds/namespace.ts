import { defineDescriber, NO_EVENTS } from '../describer.ts';
import type { Description } from '../description.ts';
import { isNotFound } from '../../errors.ts';
import type { Condition, Described } from '../objects.ts';
import { writeConditions } from '../parts/conditions.ts';
import { writeHead } from '../parts/metadata.ts';
import {
  LIMIT_TITLES,
  ruleOf,
  writeLimits,
  writeScopes,
  writeUse,
  type LimitRange,
  type ResourceQuota,
} from '../parts/quotas.ts';
import type { World } from '../world.ts';

interface Namespace extends Described {
  readonly status?: { readonly phase?: string; readonly conditions?: readonly Condition[] };
}

export const namespace = defineDescriber<Namespace>({
  async write(page, { metadata, status = {} }, world) {
    writeHead(page, metadata, world, { namespace: false });
    page.row('Status', status.phase ?? '');
    writeConditions(page, status.conditions, { columns: ['type', 'status', 'changed', 'reason', 'message'] });
    const { name } = metadata;
    const quotas = await listIfServed<ResourceQuota>('ResourceQuota', name, world);
    const ranges = await listIfServed<LimitRange>('LimitRange', name, world);
    if (quotas !== undefined) writeQuotas(page, quotas);
    if (ranges !== undefined) writeRanges(page, ranges);
  },
  subjects: NO_EVENTS,
});

async function listIfServed<T extends Described>(
  kind: string,
  namespace: string | undefined,
  world: World,
): Promise<T[] | undefined> {
  try {
    return await world.list<T>({ group: '', kind }, { namespace });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function writeQuotas(page: Description, quotas: readonly ResourceQuota[]): void {
  page.line('');
  if (quotas.length === 0) return page.line('No resource quota.');
  page.line('Resource Quotas');
  for (const quota of quotas) {
    page.row('Name', quota.metadata.name ?? '', 1);
    writeScopes(page, quota, { level: 1, bullet: '* ' });
    page.line('Resource\tUsed\tHard', 1);
    page.line('--------\t---\t---', 1);
    writeUse(page, quota, 1);
  }
}

function writeRanges(page: Description, ranges: readonly LimitRange[]): void {
  page.line('');
  if (ranges.length === 0) return page.line('No LimitRange resource.');
  page.line('Resource Limits');
  page.line(` ${LIMIT_TITLES.join('\t')}`);
  page.line(` ${ruleOf(LIMIT_TITLES)}`);
  for (const range of ranges) writeLimits(page, range, ' ');
}
