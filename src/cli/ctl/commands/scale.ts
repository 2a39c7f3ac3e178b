import { defineCommand } from '../command.ts';
import { CtlError } from '../errors.ts';
import { chooseObjects, pathOf } from '../objects/choose.ts';
import { eachObject } from '../objects/each.ts';
import { CHOICE_FLAGS, DRY_RUN_FLAG } from '../objects/flags.ts';
import { OUTPUT_FLAGS } from '../print/output-flags.ts';
import { Report } from '../write/report.ts';

interface Scale {
  readonly metadata: { readonly resourceVersion?: string };
  readonly spec?: { readonly replicas?: number };
}

const { filename, recursive, kustomize, selector, all } = CHOICE_FLAGS;

export const scale = defineCommand({
  usage: '[--current-replicas=COUNT] --replicas=COUNT (-f FILENAME | TYPE NAME)',
  description: 'Set how many replicas something has.',
  examples: `
    orchctl scale deployment web --replicas=3
    # Only if there are two now
    orchctl scale deployment/web --current-replicas=2 --replicas=3`,
  arguments: 'resources',
  flags: {
    filename,
    recursive,
    kustomize,
    selector,
    all,
    ...DRY_RUN_FLAG,
    ...OUTPUT_FLAGS,
    replicas: { type: 'number', help: 'How many there are to be.' },
    'current-replicas': { type: 'number', default: -1, help: 'How many there must be now; -1 for any.' },
    'resource-version': { type: 'text', help: 'The version that the object must have now.' },
  },
  async run({ context, flags, args }) {
    const { replicas } = flags;
    if (replicas === undefined || replicas < 0) {
      throw new CtlError(
        'The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0',
      );
    }
    const report = await Report.open(context, flags);
    const anywhere = { 'field-selector': undefined, 'all-namespaces': false };
    const chosen = await chooseObjects(context, { ...flags, ...anywhere }, args);
    const version = flags['resource-version'] ?? '';
    if (chosen.objects.length > 1 && version !== '')
      throw new CtlError('cannot use --resource-version with multiple resources');
    if (chosen.objects.length === 0) throw new CtlError('no objects passed to scale');
    const api = await context.api();
    await eachObject(context, chosen, async (object) => {
      const path = pathOf(object, 'scale');
      const shown = await api.json({ path: pathOf(object) });
      if (flags['current-replicas'] >= 0 || version !== '') {
        const now = await api.json<Scale>({ path });
        const expected = flags['current-replicas'];
        if (expected >= 0 && (now.spec?.replicas ?? 0) !== expected) {
          throw new CtlError(`Expected replicas to be ${expected}, was ${now.spec?.replicas ?? 0}`);
        }
        if (version !== '' && now.metadata.resourceVersion !== version) {
          throw new CtlError(
            `Expected resource version to be ${version}, was ${now.metadata.resourceVersion}`,
          );
        }
      }
      if (flags['dry-run'] !== 'client') {
        await api.json({
          method: 'PATCH',
          path,
          query: { dryRun: flags['dry-run'] === 'server' ? 'All' : undefined, fieldManager: 'orchctl-scale' },
          contentType: 'application/merge-patch+json',
          body: { spec: { replicas } },
        });
      }
      await report.done(shown, 'scaled');
    });
  },
});
