import { objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { ApiObject } from '../../meta/object.ts';

/** `podIP` is the first of `podIPs`; where they differ, who wrote the single one knew no other. */
export function agreeOnAddresses(pod: ApiObject): void {
  const status = objectAt(pod, 'status');
  if (status === undefined) return;
  const single = textAt(status, 'podIP');
  const first = textAt(objectsAt(status, 'podIPs')[0], 'ip');
  if (single !== '' && first !== single) status['podIPs'] = [{ ip: single }];
  else if (single === '' && first !== '') status['podIP'] = first;
}
