import { readObject } from './body.ts';
import type { VerbTools } from './dependencies.ts';
import { readWriteOptions } from './options/write-options.ts';
import type { VerbHandler } from './result.ts';
import { applyChange } from './write/change.ts';
import { agreeOnName } from './write/metadata.ts';
import { ownChanges } from './write/ownership.ts';
import { settingsOf, type Writing } from './write/writing.ts';

/** PUT of an object, or of a subresource that shows the whole object (status, finalize). */
export function createUpdate(dependencies: VerbTools): VerbHandler {
  const { metaGroup } = dependencies;
  return async function update(request) {
    const { context, resource } = request;
    const { query, userAgent } = context;
    const options = readWriteOptions('UpdateOptions', { query, userAgent, metaGroup });
    const now = dependencies.clock.now();
    const part = request.subresource?.name ?? '';
    const writing: Writing = { dependencies, request, options, part, now, own: ownChanges };
    const body = await readObject(context, resource, settingsOf(writing));
    const first = body.take();
    agreeOnName(first.metadata, request);
    const { uid } = first.metadata;
    let next: typeof first | undefined = first;
    const candidate = () => {
      const object = next ?? body.take();
      next = undefined;
      return object;
    };
    return applyChange(writing, { candidate, create: candidate, ...(uid ? { uid } : {}) });
  };
}
