import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { JsonObject } from '../../../meta/object.ts';
import { defineCommand } from '../command.ts';
import { CtlError } from '../errors.ts';
import { chooseObjects, pathOf } from '../objects/choose.ts';
import { eachObject } from '../objects/each.ts';
import { CHOICE_FLAGS, DRY_RUN_FLAG } from '../objects/flags.ts';
import { OUTPUT_FLAGS } from '../print/output-flags.ts';
import { Report } from '../write/report.ts';

const TYPES: Readonly<Record<string, string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
};

const { filename, recursive, kustomize } = CHOICE_FLAGS;

export const patch = defineCommand({
  usage: '(-f FILENAME | TYPE NAME) (-p PATCH | --patch-file FILE) [flags]',
  description:
    'Change fields of objects by a patch in JSON or YAML: strategic, merge or a list of JSON operations.',
  examples: `
    orchctl patch deployment web -p '{"spec":{"replicas":3}}'
    orchctl patch configmap settings --type=json -p '[{"op":"remove","path":"/data/old"}]'`,
  arguments: 'resources',
  flags: {
    filename,
    recursive,
    kustomize,
    ...DRY_RUN_FLAG,
    ...OUTPUT_FLAGS,
    patch: { type: 'text', short: 'p', help: 'The patch, in JSON or YAML.' },
    'patch-file': { type: 'text', completes: 'files', help: 'A file with the patch.' },
    type: {
      type: 'text',
      default: 'strategic',
      choices: Object.keys(TYPES),
      help: 'json, merge or strategic.',
    },
    subresource: { type: 'text', help: 'Patch this subresource: status or scale.' },
    'field-manager': { type: 'text', default: 'orchctl-patch', help: 'Who is to own the fields.' },
  },
  async run({ context, flags, args }) {
    if (flags.patch !== undefined && flags['patch-file'] !== undefined) {
      throw new CtlError('cannot specify --patch and --patch-file together');
    }
    if ((flags.patch ?? flags['patch-file'] ?? '') === '') {
      throw new CtlError('must specify --patch or --patch-file containing the contents of the patch');
    }
    if (flags['dry-run'] === 'client') {
      throw new CtlError(
        '--dry-run=client is not available for patches: only the server knows what they make',
        {
          hint: '--dry-run=server shows it, and stores nothing.',
        },
      );
    }
    const body = await toJson(
      flags.patch ?? (await readPatch(resolve(context.cwd, flags['patch-file'] ?? ''))),
    );
    const report = await Report.open(context, flags);
    const none = { selector: undefined, 'field-selector': undefined, all: false, 'all-namespaces': false };
    const chosen = await chooseObjects(context, { ...flags, ...none }, args);
    const api = await context.api();
    await eachObject(context, chosen, async (object) => {
      const path = pathOf(object, flags.subresource);
      const before = await api.json({ path });
      const after = await api.json({
        method: 'PATCH',
        path,
        query: {
          dryRun: flags['dry-run'] === 'server' ? 'All' : undefined,
          fieldManager: flags['field-manager'],
        },
        contentType: TYPES[flags.type] ?? '',
        body,
      });
      await report.done(after, versionOf(before) === versionOf(after) ? 'patched (no change)' : 'patched');
    });
  },
});

async function readPatch(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new CtlError(
      `unable to read patch file: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
}

/** A patch as it is when it is JSON, else what it is as YAML. */
async function toJson(text: string): Promise<string> {
  try {
    JSON.parse(text);
    return text;
  } catch {
    const { parse } = await import('yaml');
    try {
      return JSON.stringify(parse(text, { version: '1.1' }));
    } catch (cause) {
      throw new CtlError(
        `unable to parse ${JSON.stringify(text)}: ${(cause as Error).message.split('\n')[0]}`,
        { cause },
      );
    }
  }
}

function versionOf(object: JsonObject): string | undefined {
  return (object['metadata'] as { resourceVersion?: string } | undefined)?.resourceVersion;
}
