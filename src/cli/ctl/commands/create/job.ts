import type { ApiObject, JsonObject, ObjectMeta } from '../../../../meta/object.ts';
import { resourcePath } from '../../api/resource.ts';
import { defineCommand } from '../../command.ts';
import type { CommandContext } from '../../context.ts';
import { requireName } from '../../create/name.ts';
import { container, podTemplate } from '../../create/pods.ts';
import { CtlError } from '../../errors.ts';
import { CREATE_FLAGS, createObject } from '../../objects/create-object.ts';
import { parseResourceArguments } from '../../resources/arguments.ts';

export const job = defineCommand({
  usage: 'NAME (--image=IMAGE [-- COMMAND ...] | --from=cronjob/NAME)',
  description: 'Create a job that runs an image once, or what a cron job runs.',
  examples: `
    orchctl create job migrate --image=tools -- migrate --all
    # Now, without waiting for the time
    orchctl create job backup-now --from=cronjob/backup`,
  flags: {
    ...CREATE_FLAGS,
    image: { type: 'text', default: '', help: 'The image to run.' },
    from: { type: 'text', default: '', help: 'The cron job whose job to run, as cronjob/NAME.' },
  },
  async run({ context, flags, args, rest }) {
    const name = requireName(args);
    const { image, from } = flags;
    if ((image === '') === (from === '')) throw new CtlError('either --image or --from must be specified');
    if (from !== '' && rest.length > 0) throw new CtlError('cannot specify --from and command');
    const containers = [container({ name, image, command: rest })];
    const { metadata, spec } =
      from === ''
        ? { metadata: {}, spec: { template: podTemplate({ containers, restartPolicy: 'Never' }) } }
        : await jobOf(context, from);
    await createObject(context, flags, {
      object: {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { ...metadata, name },
        spec,
        status: {},
      },
      inNamespace: true,
    });
  },
});

interface CronJob extends ApiObject {
  spec: { jobTemplate: { metadata?: ObjectMeta; spec: JsonObject } } & JsonObject;
}

/** What a cron job makes of its template; it counts the job among its own. */
async function jobOf(
  context: CommandContext,
  text: string,
): Promise<{ metadata: ObjectMeta; spec: JsonObject }> {
  const { targets } = parseResourceArguments(await context.resources(), [text], { allByType: false });
  const [target, more] = targets;
  if (target === undefined || more !== undefined || target.resource.resource !== 'cronjobs')
    throw new CtlError('from must be an existing cronjob');
  const { name: namespace } = await context.namespace();
  const api = await context.api();
  const { metadata, spec } = await api.json<CronJob>({ path: resourcePath({ ...target, namespace }) });
  const { annotations, labels } = spec.jobTemplate.metadata ?? {};
  const names = await context.names();
  const { name = '', uid = '' } = metadata;
  return {
    metadata: {
      annotations: { [names.get('annotation.cron-job-instantiate')]: 'manual', ...annotations },
      ...(labels === undefined ? {} : { labels }),
      // Without blockOwnerDeletion, for which one needs more rights.
      ownerReferences: [{ apiVersion: 'batch/v1', controller: true, kind: 'CronJob', name, uid }],
    },
    spec: spec.jobTemplate.spec,
  };
}
