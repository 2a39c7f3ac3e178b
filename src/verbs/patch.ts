import { applyObject } from './apply.ts';
import type { VerbTools } from './dependencies.ts';
import { readWriteOptions } from './options/write-options.ts';
import { applySentPatch, patchOf } from './patched.ts';
import type { VerbHandler } from './result.ts';
import { applyChange } from './write/change.ts';
import { agreeOnName } from './write/metadata.ts';
import { ownChanges } from './write/ownership.ts';
import { settingsOf, type Writing } from './write/writing.ts';

/** PATCH of an object, or of a subresource that shows the whole object. */
export function createPatch(dependencies: VerbTools): VerbHandler {
  const { metaGroup, parsers } = dependencies;
  return async function patch(request) {
    const { context, resource } = request;
    const body = await context.body();
    if (parsers.configurations.has(body.mediaType)) return applyObject(dependencies, request, body);
    const sent = patchOf(body, parsers, resource);
    const { query, userAgent } = context;
    const options = readWriteOptions('PatchOptions', { query, userAgent, metaGroup });
    const now = dependencies.clock.now();
    const part = request.subresource?.name ?? '';
    const writing: Writing = { dependencies, request, options, part, now, own: ownChanges };
    const settings = {
      ...settingsOf(writing),
      expected: resource,
      warn: (text: string) => context.warn(text),
    };
    return applyChange(writing, {
      candidate(base) {
        const object = applySentPatch(sent, base(), settings);
        agreeOnName(object.metadata, request);
        return object;
      },
    });
  };
}
