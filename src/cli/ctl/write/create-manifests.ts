import { resourcePath } from '../api/resource.ts';
import type { CommandContext } from '../context.ts';
import type { OutputChoice } from '../print/output-flags.ts';
import { eachManifest } from './each-manifest.ts';
import { writeQuery, type ManifestChoice, type WriteChoice } from './flags.ts';

export interface CreateChoice extends ManifestChoice, WriteChoice, OutputChoice {
  readonly 'field-manager': string;
}

/** Creates what `-f` or `-k` name. @throws errors of what can't be created, after all else was. */
export async function createManifests(context: CommandContext, choice: CreateChoice): Promise<void> {
  const api = await context.api();
  const query = { ...writeQuery(choice, choice['field-manager']) };
  await eachManifest(context, choice, {
    verb: 'create',
    doing: 'creating',
    done: 'created',
    write: ({ object, resource, namespace }) =>
      api.json({ method: 'POST', path: resourcePath({ resource, namespace }), query, body: object }),
  });
}
