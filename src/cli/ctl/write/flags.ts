import { CtlError } from '../errors.ts';
import { defineFlags } from '../flags/flag.ts';

/** Where manifests come from. */
export const MANIFEST_FLAGS = defineFlags({
  filename: {
    type: 'list',
    short: 'f',
    commas: true,
    completes: 'files',
    help: 'File, folder or address with manifests; - is the standard input. Can be repeated.',
  },
  recursive: { type: 'switch', short: 'R', help: 'Read the folders in folders of -f, too.' },
  kustomize: {
    type: 'text',
    short: 'k',
    completes: 'files',
    help: 'Folder with a kustomization, instead of -f.',
  },
  selector: {
    type: 'text',
    short: 'l',
    help: "Only objects whose labels match: 'app=web,tier in (a,b),!old'.",
  },
});

export interface ManifestChoice {
  readonly filename: readonly string[];
  readonly recursive: boolean;
  readonly kustomize: string | undefined;
  readonly selector?: string | undefined;
}

/** How something is written. */
export const WRITE_FLAGS = defineFlags({
  'dry-run': {
    type: 'text',
    bare: 'client',
    default: 'none',
    choices: ['none', 'server', 'client'],
    help: 'none; client: send nothing, show what would be sent; server: let the server do all but store it.',
  },
  validate: {
    type: 'text',
    bare: 'strict',
    default: 'strict',
    choices: ['strict', 'true', 'warn', 'ignore', 'false'],
    help: 'What happens to fields that the type does not have, or that are there twice: strict refuses them, warn warns, ignore drops them.',
  },
});

export interface WriteChoice {
  readonly 'dry-run': string;
  readonly validate: string;
}

export type DryRun = 'none' | 'server' | 'client';

/** What every write's query says. */
export interface WriteQuery {
  readonly dryRun: string | undefined;
  readonly fieldValidation: string;
  readonly fieldManager: string;
}

const VALIDATION: Readonly<Record<string, string>> = {
  strict: 'Strict',
  true: 'Strict',
  warn: 'Warn',
  ignore: 'Ignore',
  false: 'Ignore',
};

export function writeQuery(choice: WriteChoice, fieldManager: string): WriteQuery {
  return {
    dryRun: choice['dry-run'] === 'server' ? 'All' : undefined,
    fieldValidation: VALIDATION[choice.validate] ?? 'Strict',
    fieldManager,
  };
}

/** @throws CtlError unless either -f or -k was given. */
export function requireManifests({ filename, kustomize = '', recursive }: ManifestChoice): void {
  if (filename.length === 0 && kustomize === '') throw new CtlError('must specify one of -f and -k');
  if (filename.length > 0 && kustomize !== '') throw new CtlError('only one of -f or -k can be specified');
  if (recursive && kustomize !== '') throw new CtlError("the -k flag can't be used with -f or -R");
}
