import { humanDuration } from '../../../lib/human-duration.ts';
import type { JsonObject, ManagedFieldsEntry } from '../../../meta/object.ts';
import type { Api } from '../api/api.ts';
import { objectName } from '../api/resource.ts';
import { CtlError, type ServerError } from '../errors.ts';

/** What can be done about conflicts; told once, however many there are. */
export const CONFLICT_ADVICE = `Others have set these fields. Either
* take them over: apply again with --force-conflicts, or
* leave them to their owners: take them out of the manifest, or
* share them: write the values into the manifest that they have now.
orchctl who-owns TYPE/NAME shows the owner of every field.`;

/** An apply that was refused because fields are somebody else's. */
export class ApplyConflict extends CtlError {
  override readonly name = 'ApplyConflict';
}

/** Explains a refused apply: which fields are whose, since when. */
export async function explainConflict(
  error: ServerError,
  { api, path, object }: { readonly api: Api; readonly path: string; readonly object: JsonObject },
): Promise<ApplyConflict> {
  const entries = await readManagers(api, path);
  const causes = (error.status.details?.causes ?? []).filter(
    ({ reason }) => reason === 'FieldManagerConflict',
  );
  const lines = causes.map(
    ({ field = '', message = '' }) => `  ${field}: ${describeOwner(message, entries)}`,
  );
  return new ApplyConflict([`${objectName(object)}: ${error.message}`, ...lines].join('\n'), {
    cause: error,
  });
}

/** The explanation is worth a request, but no error of its own. */
async function readManagers(api: Api, path: string): Promise<readonly ManagedFieldsEntry[]> {
  try {
    const live = await api.json<{ metadata?: { managedFields?: ManagedFieldsEntry[] } }>({ path });
    return live.metadata?.managedFields ?? [];
  } catch {
    return [];
  }
}

/** @param message the server's: `conflict with "kubectl" with subresource "scale" using apps/v1`. */
function describeOwner(message: string, entries: readonly ManagedFieldsEntry[]): string {
  const match = /^conflict with "((?:[^"\\]|\\.)*)"(?: with subresource "([^"]*)")?(?: using (\S+))?/.exec(
    message,
  );
  if (match === null) return message;
  const [, quoted = '', subresource = '', version] = match;
  const manager = quoted.replaceAll(/\\(.)/g, '$1');
  const entry = entries.find(
    (one) =>
      one.manager === manager &&
      (one.subresource ?? '') === subresource &&
      (version === undefined || one.apiVersion === version),
  );
  if (entry === undefined) return message.replace(/^conflict with /, 'owned by ');
  const by =
    entry.operation === 'Apply'
      ? 'applied it'
      : `wrote it${subresource === '' ? '' : ` through ${subresource}`}`;
  return `${JSON.stringify(manager)} ${by}, last ${formatSince(entry.time)}`;
}

/** `2026-11-21T09:00:00Z (5m ago)`. */
export function formatSince(time: string | undefined): string {
  if (time === undefined) return 'at an unknown time';
  const ms = Date.now() - Date.parse(time);
  return Number.isFinite(ms) ? `${time} (${humanDuration(Math.max(ms, 0))} ago)` : time;
}
