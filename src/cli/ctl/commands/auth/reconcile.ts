import { defineCommand } from '../../command.ts';
import { CtlError } from '../../errors.ts';
import { DRY_RUN_FLAG } from '../../objects/flags.ts';
import { OUTPUT_FLAGS } from '../../print/output-flags.ts';
import { MANIFEST_FLAGS } from '../../write/flags.ts';

const { filename, recursive, kustomize } = MANIFEST_FLAGS;

export const reconcile = defineCommand({
  usage: '-f FILENAME [--remove-extra-permissions] [--remove-extra-subjects]',
  description:
    'See to it that roles allow what manifests say and that bindings give it to whom they say. What they allow or give besides stays, unless it is to be removed; manifests of other kinds are left out.',
  examples: `
    # What would change?
    orchctl auth reconcile -f access.yaml --dry-run=client
    orchctl auth reconcile -f access.yaml --remove-extra-permissions --remove-extra-subjects`,
  arguments: 'files',
  flags: {
    filename,
    recursive,
    kustomize,
    ...DRY_RUN_FLAG,
    ...OUTPUT_FLAGS,
    'remove-extra-permissions': { type: 'switch', help: 'Roles are to allow nothing else.' },
    'remove-extra-subjects': { type: 'switch', help: 'Bindings are to be for nobody else.' },
  },
  async run({ context, flags }) {
    if (flags['dry-run'] === 'server')
      throw new CtlError('--dry-run=server for command reconcile is not supported yet', {
        hint: 'With --dry-run=client it only reads, too.',
      });
    const { reconcileObjects } = await import('../../rbac/reconcile-objects.ts');
    await reconcileObjects(context, flags);
  },
});
