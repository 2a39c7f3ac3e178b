import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { JsonObject } from '../../../meta/object.ts';
import { objectName } from '../api/resource.ts';
import { CtlError } from '../errors.ts';
import { defineFlags } from '../flags/flag.ts';
import { itemsOf } from '../resources/read-objects.ts';
import { withoutManagedFields } from './clean.ts';
import type { Printer } from './printer.ts';

/** Flags of commands that show objects. */
export const OUTPUT_FLAGS = defineFlags({
  output: {
    type: 'text',
    short: 'o',
    help: 'Form of the output: json, yaml, name, jsonpath=TEMPLATE, jsonpath-as-json=TEMPLATE, jsonpath-file=FILE, custom-columns=SPEC, custom-columns-file=FILE.',
  },
  template: { type: 'text', help: 'Template of -o jsonpath, or file of -o jsonpath-file.' },
  'allow-missing-template-keys': {
    type: 'switch',
    default: true,
    help: 'Take fields that a template names and an object lacks for empty.',
  },
  'show-managed-fields': {
    type: 'switch',
    help: 'Keep metadata.managedFields in JSON and YAML.',
  },
});

export interface OutputChoice {
  readonly output: string | undefined;
  readonly template: string | undefined;
  readonly 'allow-missing-template-keys': boolean;
  readonly 'show-managed-fields': boolean;
}

export interface PrinterOptions {
  /** The formats that this command has besides, for the message. */
  readonly others?: readonly string[];
  /** What `-o name` says behind a name, e.g. ` created`; nothing by default. */
  readonly noHeaders?: boolean;
  readonly cwd: string;
}

const FORMATS = [
  'custom-columns',
  'custom-columns-file',
  'json',
  'jsonpath',
  'jsonpath-as-json',
  'jsonpath-file',
  'name',
  'yaml',
];

/**
 * The printer that `-o` asks for; undefined without `-o`, where the command has its own words.
 *
 * @throws CtlError for forms that there are not, and for templates with mistakes.
 */
export async function choosePrinter(
  choice: OutputChoice,
  options: PrinterOptions,
): Promise<Printer | undefined> {
  const { output = '' } = choice;
  if (output === '') return undefined;
  const equals = output.indexOf('=');
  const form = equals < 0 ? output : output.slice(0, equals);
  const argument = equals < 0 ? choice.template : output.slice(equals + 1);
  switch (form) {
    case 'name':
      return { print: printNames, pieces: { head: '', item: nameLine, tail: () => '' } };
    case 'json': {
      const [{ printJson }, { jsonPieces }] = await Promise.all([
        import('./json.ts'),
        import('./list-pieces.ts'),
      ]);
      const pieces = jsonPieces((item) => shown(item, choice));
      return { print: (object) => printJson(shown(object, choice)), pieces };
    }
    case 'yaml': {
      const [{ YamlPrinter }, { yamlPieces }] = await Promise.all([
        import('./yaml.ts'),
        import('./list-pieces.ts'),
      ]);
      const printer = new YamlPrinter();
      const pieces = yamlPieces((item) => shown(item, choice));
      return { print: (object) => printer.print(shown(object, choice)), pieces };
    }
    case 'jsonpath':
    case 'jsonpath-as-json':
    case 'jsonpath-file': {
      const { JsonPathPrinter } = await import('./jsonpath-printer.ts');
      const template = await templateOf({ form, argument, cwd: options.cwd, file: form === 'jsonpath-file' });
      return new JsonPathPrinter(template, {
        asJson: form === 'jsonpath-as-json',
        allowMissing: choice['allow-missing-template-keys'],
      });
    }
    case 'custom-columns':
    case 'custom-columns-file': {
      const { CustomColumnsPrinter } = await import('./custom-columns.ts');
      const file = form === 'custom-columns-file';
      const spec = await templateOf({ form, argument, cwd: options.cwd, file });
      return new CustomColumnsPrinter(spec, { fromFile: file, noHeaders: options.noHeaders ?? false });
    }
    default:
      throw new CtlError(
        `unable to match a printer suitable for the output format ${JSON.stringify(output)}, allowed formats are: ${[...FORMATS, ...(options.others ?? [])].sort().join(',')}`,
      );
  }
}

function shown(object: JsonObject, choice: OutputChoice): JsonObject {
  return choice['show-managed-fields'] ? object : withoutManagedFields(object);
}

function printNames(object: JsonObject): string {
  return itemsOf(object).map(nameLine).join('');
}

function nameLine(object: JsonObject): string {
  return `${objectName(object)}\n`;
}

interface TemplateSource {
  readonly form: string;
  readonly argument: string | undefined;
  readonly file: boolean;
  readonly cwd: string;
}

async function templateOf({ form, argument, file, cwd }: TemplateSource): Promise<string> {
  if (argument === undefined || argument === '') {
    throw new CtlError(
      form.startsWith('custom-columns')
        ? 'custom-columns format specified but no custom columns given'
        : 'template format specified but no template given',
    );
  }
  if (!file) return argument;
  try {
    return await readFile(resolve(cwd, argument), 'utf8');
  } catch (cause) {
    throw new CtlError(
      `error reading ${argument}: ${cause instanceof Error ? cause.message : String(cause)}`,
      {
        cause,
      },
    );
  }
}
