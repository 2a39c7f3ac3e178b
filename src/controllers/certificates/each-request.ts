import { isObject, objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import type { ResourceDefinition } from '../../schema/model.ts';
import { followResource } from '../../store/follow.ts';
import type { StoredEntry } from '../../store/object-store.ts';
import { rowOf, type ControllerParts, type RunningController } from '../controller.ts';
import { isOutdated, keyedWork } from '../keyed-work.ts';

export interface EachRequestOptions {
  /** Does what is to be done about a request, as it is now. A failure is tried again later. */
  readonly handle: (request: ApiObject) => Promise<void>;
  /** Whether a failure is a matter of course. */
  readonly expects?: (error: unknown) => boolean;
}

/** The row of CertificateSigningRequests. */
export function requestsRow({ schemas, names }: ControllerParts): ResourceDefinition {
  return rowOf(schemas, [names.get('group.certificates'), 'v1', 'certificatesigningrequests']);
}

/** Looks at every CertificateSigningRequest when it is new or has changed. */
export function eachRequest(
  parts: ControllerParts,
  { handle, expects = () => false }: EachRequestOptions,
): RunningController {
  const requests = new Map<string, StoredEntry>();
  const work = keyedWork({
    ...parts,
    async work(name) {
      const entry = requests.get(name);
      if (entry !== undefined) await handle(entry.object());
    },
    expects: (error) => isOutdated(error) || expects(error),
  });
  const following = followResource(parts, requestsRow(parts), {
    set(entry) {
      requests.set(entry.name, entry);
      work.add(entry.name);
    },
    remove: (_namespace, name) => void requests.delete(name),
  });
  return {
    close() {
      following.close();
      work.close();
    },
  };
}

/** The conditions of a request. */
export function conditionsOf(request: ApiObject): JsonObject[] {
  return objectsAt(objectAt(request, 'status'), 'conditions');
}

export function hasCondition(request: ApiObject, type: string): boolean {
  return conditionsOf(request).some((condition) => condition.type === type);
}

export function hasCertificate(request: ApiObject): boolean {
  return textAt(objectAt(request, 'status'), 'certificate') !== '';
}

/** A request with one condition more, which holds. */
export function withCondition(request: ApiObject, condition: JsonObject): ApiObject {
  const status = isObject(request.status) ? request.status : {};
  const conditions = [...conditionsOf(request), { status: 'True', ...condition }];
  return { ...request, status: { ...status, conditions } };
}
