import type { CommandContext } from '../context.ts';
import { CtlError } from '../errors.ts';
import { chooseObjects, type ChosenObjects } from '../objects/choose.ts';
import { CHOICE_FLAGS } from '../objects/flags.ts';
import { defineFlags } from '../flags/flag.ts';
import type { ManifestChoice } from '../write/flags.ts';

const { filename, recursive, kustomize, selector } = CHOICE_FLAGS;

/** How the commands of `rollout` are told what they are about; a type alone stands for all its objects. */
export const WORKLOAD_FLAGS = defineFlags({ filename, recursive, kustomize, selector });

/** @throws CtlError when nothing is named. */
export function chooseWorkloads(
  context: CommandContext,
  choice: ManifestChoice,
  args: readonly string[],
): Promise<ChosenObjects> {
  if (args.length === 0 && choice.filename.length === 0 && (choice.kustomize ?? '') === '') {
    throw new CtlError('required resource not specified', {
      hint: 'Name one: deployment/web, or choose some with a type and -l.',
    });
  }
  const all = (choice.selector ?? '') === '';
  return chooseObjects(
    context,
    { ...choice, all, 'field-selector': undefined, 'all-namespaces': false },
    args,
  );
}

/** Says that there is nothing to do. */
export async function sayNoneFound(context: CommandContext): Promise<void> {
  const { name } = await context.namespace();
  await context.stderr.write(`No resources found in ${name} namespace.\n`);
}
