import type { ApiObject } from '../../../meta/object.ts';
import { resourcePath } from '../api/resource.ts';
import type { CommandContext } from '../context.ts';
import { defineFlags } from '../flags/flag.ts';
import { OUTPUT_FLAGS, type OutputChoice } from '../print/output-flags.ts';
import { findTarget } from '../write/find-target.ts';
import { WRITE_FLAGS, writeQuery, type WriteChoice } from '../write/flags.ts';
import { Report } from '../write/report.ts';

/** What commands take that make one object. */
export const CREATE_FLAGS = defineFlags({
  ...OUTPUT_FLAGS,
  ...WRITE_FLAGS,
  'field-manager': { type: 'text', default: 'orchctl-create', help: 'Who is to own the fields.' },
});

export interface CreateChoice extends OutputChoice, WriteChoice {
  readonly 'field-manager': string;
}

export interface ObjectToCreate {
  readonly object: ApiObject;
  /** Whether its kind stands in namespaces, which is to be known where no server is asked. */
  readonly inNamespace: boolean;
  /** What is told of it; `created` by default. */
  readonly done?: string;
}

/** Creates an object in the namespace of the command, and tells of it. */
export async function createObject(
  context: CommandContext,
  choice: CreateChoice,
  { object, inNamespace, done = 'created' }: ObjectToCreate,
): Promise<void> {
  const report = await Report.open(context, choice);
  if (choice['dry-run'] === 'client') {
    const { namespace: given = '' } = context.globals;
    if (given !== '' && inNamespace) object.metadata.namespace = given;
    await report.done({ ...object, metadata: { creationTimestamp: null, ...object.metadata } }, done);
    return;
  }
  const chosen = await context.namespace();
  const place = { file: '', document: 1, line: 1 };
  const { resource, namespace } = findTarget({ object, place }, await context.resources(), chosen);
  const api = await context.api();
  const created = await api.json({
    method: 'POST',
    path: resourcePath({ resource, namespace }),
    query: { ...writeQuery(choice, choice['field-manager']) },
    body: object,
  });
  await report.done(created, done);
}
