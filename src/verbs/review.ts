import { pathNotFoundError } from '../errors/status-errors.ts';
import { flagValue } from '../request/query-values.ts';
import { readObject } from './body.ts';
import type { VerbTools } from './dependencies.ts';
import { readWriteOptions } from './options/write-options.ts';
import type { VerbHandler } from './result.ts';
import { agreeOnNamespace } from './write/metadata.ts';
import { mutate } from './write/mutate.ts';
import { ownChanges } from './write/ownership.ts';
import { admissionRequest, settingsOf, type Writing } from './write/writing.ts';

/** POST of a question that is answered and not stored, such as whether a user may do something. */
export function createReview(dependencies: VerbTools): VerbHandler {
  const { metaGroup, hooksOf, admission } = dependencies;
  return async function review(request) {
    const { context, resource, namespace } = request;
    const { query, user, userAgent } = context;
    const answer = hooksOf(resource).review;
    if (answer === undefined) throw pathNotFoundError();
    const options = readWriteOptions('CreateOptions', { query, userAgent, metaGroup });
    const now = dependencies.clock.now();
    const writing: Writing = { dependencies, request, options, part: '', now, own: ownChanges };
    const object = (await readObject(context, resource, settingsOf(writing))).take();
    agreeOnNamespace(object.metadata, request);
    writing.own(writing, undefined, object);
    await mutate(writing, 'CREATE', { object, old: undefined });
    await admission.validate(admissionRequest(writing, 'CREATE', object, undefined));
    const answered = await answer(object, {
      user,
      namespace,
      now,
      explains: flagValue(query.get('explain')),
      notes: context,
    });
    return { kind: 'object', status: 201, resource, object: answered };
  };
}
