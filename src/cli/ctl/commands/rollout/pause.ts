import { qualifiedResource } from '../../api/resource.ts';
import { defineCommand, type Command } from '../../command.ts';
import { CtlError } from '../../errors.ts';
import { chooseObjects, pathOf } from '../../objects/choose.ts';
import { eachObject } from '../../objects/each.ts';
import { CHOICE_FLAGS } from '../../objects/flags.ts';
import { OUTPUT_FLAGS } from '../../print/output-flags.ts';
import { Report } from '../../write/report.ts';

const { filename, recursive, kustomize, selector } = CHOICE_FLAGS;

export const pause = pausing(true);
export const resume = pausing(false);

interface Pausable {
  readonly spec?: { readonly paused?: boolean; readonly template?: object };
}

function pausing(paused: boolean): Command {
  const [verb, done] = paused ? ['pause', 'paused'] : ['resume', 'resumed'];
  return defineCommand({
    usage: '(TYPE NAME | TYPE/NAME | -f FILENAME)',
    description: paused
      ? 'Hold what is rolling out: changes are kept, but nothing comes of them.'
      : 'Go on with what is held.',
    examples: `
    orchctl rollout ${verb} deployment/web`,
    arguments: 'resources',
    flags: {
      filename,
      recursive,
      kustomize,
      selector,
      ...OUTPUT_FLAGS,
      'field-manager': { type: 'text', default: 'orchctl-rollout', help: 'Who is to own the field.' },
    },
    async run({ context, flags, args }) {
      const report = await Report.open(context, { ...flags, 'dry-run': 'none' });
      const anywhere = { 'field-selector': undefined, all: false, 'all-namespaces': false };
      const chosen = await chooseObjects(context, { ...flags, ...anywhere }, args);
      const api = await context.api();
      await eachObject(context, chosen, async (object) => {
        const path = pathOf(object);
        const { spec } = await api.json<Pausable>({ path });
        const what = `${qualifiedResource(object.resource)} ${JSON.stringify(object.name)}`;
        if (spec?.template === undefined) throw new CtlError(`${what}: ${verb} is not supported`);
        if ((spec.paused ?? false) === paused) {
          throw new CtlError(paused ? `${what} is already paused` : `${what} is not paused`);
        }
        const answer = await api.json({
          method: 'PATCH',
          path,
          query: { fieldManager: flags['field-manager'] },
          contentType: 'application/merge-patch+json',
          body: { spec: { paused: paused ? true : null } },
        });
        await report.done(answer, done);
      });
    },
  });
}
