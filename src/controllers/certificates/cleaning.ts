import { X509Certificate } from 'node:crypto';
import { firstPemBlock } from '../../lib/x509/pem.ts';
import { objectAt, textAt } from '../../meta/fields.ts';
import type { ApiObject } from '../../meta/object.ts';
import type { Controller } from '../controller.ts';
import { deleteWhenDue } from '../delete-when-due.ts';
import { conditionsOf, hasCertificate, requestsRow } from './each-request.ts';

const HOUR_MS = 3_600_000;
/** How long requests are kept that nobody decided. */
const PENDING_MS = 24 * HOUR_MS;
/** How long they are kept after they were answered. */
const ANSWERED_MS = HOUR_MS;

/** Deletes requests that have been answered, or that nobody answers, each at its time. */
export const certificateCleaning: Controller = {
  name: 'certificatesigningrequest-cleaner-controller',
  start: (parts) => deleteWhenDue(parts, { row: requestsRow(parts), endOf }),
};

/** When a request is to be deleted, milliseconds since 1970; infinite for never. */
export function endOf(request: ApiObject): number {
  const conditions = conditionsOf(request);
  if (conditions.length === 0) return Date.parse(request.metadata.creationTimestamp ?? '') + PENDING_MS;
  const isIssued = hasCertificate(request);
  const ends = conditions.flatMap((condition) => {
    const type = textAt(condition, 'type');
    const isAnswer = type === 'Denied' || type === 'Failed' || (type === 'Approved' && isIssued);
    const updated = Date.parse(textAt(condition, 'lastUpdateTime'));
    return isAnswer && !Number.isNaN(updated) ? [updated + ANSWERED_MS] : [];
  });
  const isApproved = conditions.some((condition) => condition.type === 'Approved');
  return Math.min(...ends, isIssued && isApproved ? certificateEnd(request) : Infinity);
}

function certificateEnd(request: ApiObject): number {
  const pem = Buffer.from(textAt(objectAt(request, 'status'), 'certificate'), 'base64').toString('latin1');
  try {
    const block = firstPemBlock(pem);
    return block === undefined ? Infinity : Date.parse(new X509Certificate(block.bytes).validTo);
  } catch {
    return Infinity;
  }
}
