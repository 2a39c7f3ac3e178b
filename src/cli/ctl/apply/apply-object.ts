import { exactJson } from '../../../lib/exact-json.ts';
import type { JsonObject } from '../../../meta/object.ts';
import type { Api } from '../api/api.ts';
import { isConflict } from '../errors.ts';
import { targetPath, type WriteTarget } from '../write/find-target.ts';
import type { WriteQuery } from '../write/flags.ts';
import { locatedError } from '../write/located-error.ts';
import { explainConflict } from './conflict.ts';

export interface ApplyOptions {
  readonly api: Api;
  readonly query: WriteQuery;
  readonly force: boolean;
  readonly subresource?: string | undefined;
}

const APPLY = 'application/apply-patch+yaml';

/**
 * Applies one object on the server.
 *
 * @throws CtlError that explains conflicts; ServerError with the lines of what the server refuses.
 */
export async function applyObject(target: WriteTarget, options: ApplyOptions): Promise<JsonObject> {
  const { api, query, force, subresource } = options;
  const { object, place } = target;
  const path = targetPath(target, subresource);
  try {
    return await api.json({
      method: 'PATCH',
      path,
      query: { ...query, force: force ? true : undefined },
      contentType: APPLY,
      body: exactJson(object),
    });
  } catch (error) {
    const isOwnership = isConflict(error) && error.message.startsWith('Apply failed');
    throw isOwnership
      ? await explainConflict(error, { api, path, object })
      : locatedError(error, 'applying', place);
  }
}
