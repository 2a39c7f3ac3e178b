import type { JsonObject } from '../../../meta/object.ts';
import { objectName } from '../api/resource.ts';
import type { CommandContext } from '../context.ts';
import type { Printer } from '../print/printer.ts';
import { choosePrinter, type OutputChoice } from '../print/output-flags.ts';
import type { DryRun } from './flags.ts';

const SUFFIXES: Readonly<Record<DryRun, string>> = {
  none: '',
  client: ' (dry run)',
  server: ' (server dry run)',
};

/** Tells of objects that were written: a line each, or in the form that `-o` asks for. */
export class Report {
  readonly #context: CommandContext;
  readonly #printer: Printer | undefined;
  readonly #suffix: string;

  constructor(context: CommandContext, printer: Printer | undefined, dryRun: DryRun) {
    this.#context = context;
    this.#printer = printer;
    this.#suffix = SUFFIXES[dryRun];
  }

  /** @throws CtlError for forms of output that there are not. */
  static async open(
    context: CommandContext,
    choice: OutputChoice & { readonly 'dry-run': string },
  ): Promise<Report> {
    const printer = await choosePrinter(choice, { cwd: context.cwd });
    return new Report(context, printer, choice['dry-run'] as DryRun);
  }

  /** @param operation what was done, e.g. `created`. */
  async done(object: JsonObject, operation: string): Promise<void> {
    await this.#context.stdout.write(this.#printer?.print(object) ?? this.line(object, operation));
  }

  line(object: JsonObject, operation: string): string {
    return `${objectName(object)} ${operation}${this.#suffix}\n`;
  }
}
