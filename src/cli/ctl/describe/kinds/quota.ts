import { defineDescriber, NO_EVENTS } from '../describer.ts';
import {
  inUnitsOf,
  LIMIT_TITLES,
  ruleOf,
  writeLimits,
  writeScopes,
  type LimitRange,
  type ResourceQuota,
} from '../parts/quotas.ts';

export const resourceQuota = defineDescriber<ResourceQuota>({
  write(page, object) {
    const { metadata, status = {} } = object;
    page.row('Name', metadata.name ?? '');
    page.row('Namespace', metadata.namespace ?? '');
    writeScopes(page, object, { level: 0, bullet: ' * ' });
    page.line('Resource\tUsed\tHard');
    page.line('--------\t----\t----');
    const { hard = {}, used = {} } = status;
    for (const name of Object.keys(hard).sort()) {
      const most = hard[name] ?? '0';
      page.line(`${name}\t${inUnitsOf(used[name], most)}\t${most}`);
    }
  },
  subjects: NO_EVENTS,
});

export const limitRange = defineDescriber<LimitRange>({
  write(page, object) {
    page.row('Name', object.metadata.name ?? '');
    page.row('Namespace', object.metadata.namespace ?? '');
    page.line(LIMIT_TITLES.join('\t'));
    page.line(ruleOf(LIMIT_TITLES));
    writeLimits(page, object, '');
  },
  subjects: NO_EVENTS,
});
