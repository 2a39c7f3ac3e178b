import { ServerError } from '../errors.ts';
import { lineOfField } from '../manifests/locate-field.ts';
import type { Place } from '../manifests/manifest.ts';

/**
 * The server's refusal of a manifest, with the file, and the line of every field that it names. Other errors stay.
 *
 * @param doing `creating`, for instance.
 */
export function locatedError(error: unknown, doing: string, place: Place): unknown {
  if (!(error instanceof ServerError)) return error;
  const { status } = error;
  const { details, message = '' } = status;
  const causes = details?.causes?.map((cause) => {
    const line = cause.field === undefined ? undefined : lineOfField(place, cause.field);
    return line === undefined
      ? cause
      : { ...cause, message: `${cause.message ?? ''} (${place.file}, line ${line})` };
  });
  return new ServerError({
    ...status,
    message: `error when ${doing} ${JSON.stringify(place.file)}${inFile(place)}: ${withLine(message, place)}`,
    ...(details === undefined ? {} : { details: causes === undefined ? details : { ...details, causes } }),
  });
}

/** Refused configurations name the field in the message only. */
function withLine(message: string, place: Place): string {
  const path = /\s(\.[A-Za-z][^\s:]*): /.exec(message)?.[1];
  const line = path === undefined ? undefined : lineOfField(place, path);
  return line === undefined ? message : `${message} (line ${line})`;
}

/** Files with one document need no more than their name. */
function inFile({ document, item, line }: Place): string {
  if (document === 1 && item === undefined && line === 1) return '';
  return ` (document ${document}${item === undefined ? '' : `, item ${item}`}, line ${line})`;
}
