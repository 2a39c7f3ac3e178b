import { apiVersionOf, qualifiedKind, qualifiedResource } from '../api/resource.ts';
import { defineCommand } from '../command.ts';
import { CtlError, UsageError } from '../errors.ts';
import { chooseObjects } from '../objects/choose.ts';
import { parseCondition } from '../objects/condition.ts';
import { eachObject } from '../objects/each.ts';
import { CHOICE_FLAGS } from '../objects/flags.ts';
import { until } from '../objects/until.ts';
import { choosePrinter, OUTPUT_FLAGS } from '../print/output-flags.ts';

/** A week: as long as kubectl waits with a timeout below 0. */
const LONGEST_MS = 7 * 24 * 3_600_000;

export const wait = defineCommand({
  usage:
    '(-f FILENAME | TYPE NAME | TYPE -l label | TYPE --all) --for=(delete | create | condition=NAME | jsonpath=PATH[=VALUE])',
  description: 'Wait until objects are as is asked for, all of them within the timeout.',
  examples: `
    orchctl wait --for=condition=Available deployment/web
    orchctl wait --for=jsonpath='{.status.phase}'=Running pod/x --timeout=2m
    orchctl wait --for=delete pods -l app=web`,
  arguments: 'resources',
  flags: {
    ...CHOICE_FLAGS,
    ...OUTPUT_FLAGS,
    for: { type: 'text', help: "delete, create, condition=NAME[=STATUS], or jsonpath='{PATH}'[=VALUE]." },
    timeout: {
      type: 'duration',
      default: 30_000,
      help: 'How long to wait; 0 looks once, below 0 is a week.',
    },
  },
  async run({ context, flags, args }) {
    const { for: text = '', timeout } = flags;
    if (text === '') throw new UsageError('you must specify a condition with --for');
    const condition = parseCondition(text);
    const printer = await choosePrinter(flags, { cwd: context.cwd });
    const chosen = await chooseObjects(context, flags, args);
    if (chosen.objects.length === 0 && text !== 'delete') throw new CtlError('no matching resources found');
    const limit = AbortSignal.timeout(timeout < 0 ? LONGEST_MS : timeout);
    const signal = AbortSignal.any([limit, context.signal]);
    const api = await context.api();
    await eachObject(context, chosen, async (object) => {
      const { resource, name } = object;
      let seen = false;
      try {
        await until(object, { api, signal: timeout === 0 ? context.signal : signal }, (found) => {
          if (condition(found)) return true;
          if (found === undefined && !seen && text !== 'create')
            throw notFound(qualifiedResource(resource), name);
          seen = true;
          if (timeout === 0) throw timedOut(qualifiedResource(resource), name);
          return false;
        });
      } catch (error) {
        if (!limit.aborted || context.signal.aborted || error instanceof CtlError) throw error;
        throw timedOut(qualifiedResource(resource), name);
      }
      const shown = { apiVersion: apiVersionOf(resource), kind: resource.kind, metadata: { name } };
      await context.stdout.write(
        printer?.print(shown) ?? `${qualifiedKind(resource)}/${name} condition met\n`,
      );
    });
  },
});

function notFound(resource: string, name: string): CtlError {
  return new CtlError(`${resource} ${JSON.stringify(name)} not found`);
}

function timedOut(resource: string, name: string): CtlError {
  return new CtlError(`timed out waiting for the condition on ${resource}/${name}`);
}
