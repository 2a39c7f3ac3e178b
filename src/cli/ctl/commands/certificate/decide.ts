import { formatTime } from '../../../../lib/rfc3339.ts';
import type { JsonObject } from '../../../../meta/object.ts';
import { resourcePath, type ApiResource } from '../../api/resource.ts';
import { defineCommand, type Command } from '../../command.ts';
import type { CommandContext } from '../../context.ts';
import { CtlError, isConflict, throwCollected, UsageError } from '../../errors.ts';
import { Report } from '../../write/report.ts';

export const approve = decisionCommand(
  { type: 'Approved', not: 'Denied', verb: 'approve', done: 'approved' },
  'Approve requests for certificates: whoever made them may then be who they say. Look at them first (orchctl describe csr).',
);

export const deny = decisionCommand(
  { type: 'Denied', not: 'Approved', verb: 'deny', done: 'denied' },
  'Deny requests for certificates. That stays, as an approval does.',
);

interface Decision {
  /** The condition that says it. */
  readonly type: string;
  /** The condition of the other decision. */
  readonly not: string;
  readonly verb: string;
  readonly done: string;
}

/** A request in the parts that matter here. */
interface Request extends JsonObject {
  readonly status?: { readonly conditions?: { readonly type: string }[] };
}

/** So often it is tried again when somebody else changes the request. */
const ATTEMPTS = 10;

function decisionCommand(decision: Decision, description: string): Command {
  return defineCommand({
    usage: 'NAME ...',
    description,
    examples: `
    orchctl certificate ${decision.verb} worker-1`,
    arguments: { objectsOf: 'certificatesigningrequests' },
    flags: { force: { type: 'switch', help: `Write those too that are ${decision.done} already.` } },
    async run({ context, args, flags }) {
      if (args.length === 0) throw new UsageError('name the requests');
      const resource = (await context.resources()).find('certificatesigningrequests');
      const report = new Report(context, undefined, 'none');
      const errors: unknown[] = [];
      for (const name of args.map(nameOf)) {
        try {
          await report.done(await decide({ context, resource, name }, decision, flags.force), decision.done);
        } catch (error) {
          context.signal.throwIfAborted();
          errors.push(error);
        }
      }
      throwCollected(errors);
    },
  });
}

/** Of `NAME` or `csr/NAME`: names of requests have no slashes. */
function nameOf(arg: string): string {
  return arg.slice(arg.indexOf('/') + 1);
}

interface Place {
  readonly context: CommandContext;
  readonly resource: ApiResource;
  readonly name: string;
}

/** Decides a request as it is now. @returns it. @throws CtlError for one that was decided otherwise */
async function decide(
  { context, resource, name }: Place,
  { type, not, verb, done }: Decision,
  force: boolean,
): Promise<Request> {
  const [api, path] = [await context.api(), resourcePath({ resource, name })];
  for (let attempt = 1; ; attempt++) {
    const request = await api.json<Request>({ path });
    const { conditions = [] } = request.status ?? {};
    if (conditions.some((condition) => condition.type === not)) {
      throw new CtlError(`certificate signing request ${JSON.stringify(name)} is already ${not}`);
    }
    const decided = conditions.some((condition) => condition.type === type);
    if (decided && !force) return request;
    const condition = {
      ...{ type, status: 'True', lastUpdateTime: formatTime(Date.now()) },
      ...{
        reason: `Orchctl${verb[0]?.toUpperCase()}${verb.slice(1)}`,
        message: `This request was ${done} with orchctl.`,
      },
    };
    const body = {
      ...request,
      status: { ...request.status, conditions: decided ? conditions : [...conditions, condition] },
    };
    const query = { fieldManager: 'orchctl-certificate' };
    try {
      return await api.json<Request>({ method: 'PUT', path: `${path}/approval`, query, body });
    } catch (error) {
      if (!isConflict(error) || attempt === ATTEMPTS) throw error;
    }
  }
}
