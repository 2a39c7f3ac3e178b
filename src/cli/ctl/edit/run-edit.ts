import { exactJson } from '../../../lib/exact-json.ts';
import type { ApiObject, JsonObject } from '../../../meta/object.ts';
import { resourcePath, type ApiResource } from '../api/resource.ts';
import type { CommandContext } from '../context.ts';
import { CtlError, ServerError, SilentExit } from '../errors.ts';
import { parseDocument } from '../manifests/parse-document.ts';
import { splitDocuments } from '../manifests/split-documents.ts';
import { listOf, withoutManagedFields } from '../print/clean.ts';
import { parseResourceArguments } from '../resources/arguments.ts';
import { errorLine } from '../render-error.ts';
import { findTarget } from '../write/find-target.ts';
import { writeQuery, type ManifestChoice, type WriteChoice } from '../write/flags.ts';
import { loadManifests } from '../write/load-manifests.ts';
import { Report } from '../write/report.ts';
import { Editor } from './editor.ts';
import { differenceOf, type Operation } from './json-difference.ts';

export interface EditChoice extends ManifestChoice, WriteChoice {
  readonly output: string;
  readonly 'field-manager': string;
  readonly 'output-patch': boolean;
  readonly subresource: string | undefined;
}

/** An object as it is being edited. */
interface Edited {
  readonly resource: ApiResource;
  readonly path: string;
  /** As the user saw it first. */
  readonly original: JsonObject;
}

const HEADER = `# Please edit the object below. Lines beginning with a '#' will be ignored,
# and an empty file will abort the edit. If an error occurs while saving this file will be
# reopened with the relevant failures.
#
`;

/** Edits what arguments or manifests name, until it is stored or given up. */
export async function runEdit(
  context: CommandContext,
  choice: EditChoice,
  args: readonly string[],
): Promise<void> {
  const objects = await findObjects(context, choice, args);
  if (objects.length === 0) throw new CtlError('edit cancelled, no objects found');
  const editor = await Editor.open(context.env, choice.output === 'json' ? '.json' : '.yaml');
  const session = new EditSession(context, choice, { objects, editor });
  let keep = true;
  try {
    keep = await session.run();
  } finally {
    if (keep)
      await context.stderr.write(
        `A copy of your changes has been stored to ${JSON.stringify(editor.file)}\n`,
      );
    else await editor.discard();
  }
}

async function findObjects(
  context: CommandContext,
  choice: EditChoice,
  args: readonly string[],
): Promise<Edited[]> {
  const api = await context.api();
  const mapper = await context.resources();
  const chosen = await context.namespace();
  const { subresource } = choice;
  const found: Edited[] = [];
  const add = async (resource: ApiResource, name: string, namespace: string | undefined): Promise<void> => {
    const path = resourcePath({ resource, namespace, name, subresource });
    found.push({ resource, path, original: withoutManagedFields(await api.json({ path })) });
  };
  if (args.length === 0) {
    const { manifests, errors } = await loadManifests(context, choice);
    if (errors[0] !== undefined) throw errors[0];
    for (const manifest of manifests) {
      const { resource, name, namespace } = findTarget(manifest, mapper, chosen);
      await add(resource, name, namespace);
    }
    return found;
  }
  for (const { resource, name } of parseResourceArguments(mapper, args, { allByType: false }).targets)
    if (name !== undefined) await add(resource, name, chosen.name);
  return found;
}

interface SessionParts {
  readonly objects: readonly Edited[];
  readonly editor: Editor;
}

/** The user's changes come from the editor, what is wrong with them goes back into it. */
class EditSession {
  readonly #context: CommandContext;
  readonly #choice: EditChoice;
  readonly #objects: readonly Edited[];
  readonly #editor: Editor;
  /** Objects that are stored already are not written again. */
  readonly #stored = new Set<Edited>();
  #reasons: string[] = [];

  constructor(context: CommandContext, choice: EditChoice, { objects, editor }: SessionParts) {
    this.#context = context;
    this.#choice = choice;
    this.#objects = objects;
    this.#editor = editor;
  }

  /** @returns whether the file holds what is not stored. @throws SilentExit when that is so and was told. */
  async run(): Promise<boolean> {
    const original = await this.#print();
    let text = original;
    for (;;) {
      const before = text;
      text = await this.#editor.edit(this.#withHeader(text));
      const content = withoutComments(text);
      if (this.#reasons.length > 0 && content === withoutComments(before)) {
        throw new CtlError('Edit cancelled, no valid changes were saved.');
      }
      if (content.trim() === '') return this.#cancel('Edit cancelled, saved file was empty.');
      if (content === withoutComments(original)) return this.#cancel('Edit cancelled, no changes made.');
      this.#reasons = [];
      await this.#store(content);
      if (this.#reasons.length === 0) return false;
    }
  }

  async #cancel(why: string): Promise<false> {
    await this.#context.stderr.write(`${why}\n`);
    return false;
  }

  async #print(): Promise<string> {
    const originals = this.#objects.map(({ original }) => original);
    const [first] = originals;
    const shown = originals.length === 1 && first !== undefined ? first : listOf(originals);
    if (this.#choice.output === 'json') return (await import('../print/json.ts')).printJson(shown);
    const { YamlPrinter } = await import('../print/yaml.ts');
    return new YamlPrinter().print(shown);
  }

  #withHeader(text: string): string {
    if (this.#choice.output === 'json') return text;
    const reasons = this.#reasons.map((reason) => `# ${reason.replaceAll('\n', '\n# ')}\n#\n`);
    return HEADER + reasons.join('') + withoutComments(text);
  }

  async #store(content: string): Promise<void> {
    const file = 'edited-file';
    for (const [index, document] of [...splitDocuments(content)].entries()) {
      const { manifests, errors } = parseDocument({ file, document: index + 1, ...document });
      for (const { message } of errors) this.#reasons.push(`The edited file had a syntax error: ${message}`);
      if (this.#reasons.length > 0) return;
      for (const { object } of manifests) await this.#storeObject(object);
    }
  }

  async #storeObject(object: ApiObject): Promise<void> {
    const edited = this.#objects.find(({ original }) => isSame(original, object));
    if (edited === undefined) {
      this.#reasons.push('At least one of apiVersion, kind and name was changed');
      return;
    }
    if (this.#stored.has(edited)) return;
    const patch = differenceOf(edited.original, object);
    const report = new Report(this.#context, undefined, this.#choice['dry-run'] as 'none');
    if (patch.length === 0) return report.done(edited.original, 'skipped');
    if (this.#choice['output-patch']) await this.#context.stdout.write(`Patch: ${exactJson(patch)}\n`);
    try {
      const stored = await this.#send(edited, patch);
      this.#stored.add(edited);
      await report.done(stored, 'edited');
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      await this.#refused(edited, error);
    }
  }

  async #send({ path, original }: Edited, patch: readonly Operation[]): Promise<JsonObject> {
    if (this.#choice['dry-run'] === 'client') return original;
    const api = await this.#context.api();
    return api.json({
      method: 'PATCH',
      path,
      query: { ...writeQuery(this.#choice, this.#choice['field-manager']) },
      contentType: 'application/json-patch+json',
      body: exactJson(patch),
    });
  }

  /** What the user can mend goes back into the editor. @throws SilentExit for what can't be mended there. */
  async #refused({ resource, original }: Edited, error: ServerError): Promise<void> {
    const { name } = original['metadata'] as { name: string };
    const what = `${resource.resource}${resource.group === '' ? '' : `.${resource.group}`} ${JSON.stringify(name)}`;
    const { stderr } = this.#context;
    if (error.reason === 'NotFound') {
      await stderr.write(`error: ${what} could not be found on the server\n`);
      throw new SilentExit();
    }
    const causes = error.status.details?.causes ?? [];
    if (error.reason === 'Invalid' && causes.length > 0) {
      await stderr.write(`error: ${what} is invalid\n`);
      const lines = causes.map(({ field = '', message = '' }) => `* ${field}: ${message}`);
      this.#reasons.push([`${what} was not valid:`, ...lines].join('\n'));
      return;
    }
    const changed = error.code === 422 && causes.length === 0;
    const why = changed ? 'somebody else has changed the same fields meanwhile' : errorLine(error);
    await stderr.write(`error: ${what} could not be patched: ${why}\n`);
    if (error.reason === 'BadRequest') {
      this.#reasons.push(`${what} could not be patched: ${why}`);
      return;
    }
    await stderr.write(`You can run \`orchctl replace -f ${this.#editor.file}\` to try this update again.\n`);
    throw new SilentExit();
  }
}

function isSame(a: JsonObject, b: ApiObject): boolean {
  const { name, namespace } = (a['metadata'] ?? {}) as { name?: string; namespace?: string };
  return (
    a['kind'] === b.kind &&
    a['apiVersion'] === b.apiVersion &&
    name === b.metadata.name &&
    (namespace ?? '') === (b.metadata.namespace ?? '')
  );
}

function withoutComments(text: string): string {
  return text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n');
}
