import type { PolicyRule } from '../../../../meta/policy-rule.ts';
import { formatGroupVersion, type JsonObject } from '../../../../meta/object.ts';
import { resourcePath } from '../../api/resource.ts';
import type { CommandContext } from '../../context.ts';
import { CtlError } from '../../errors.ts';
import { ColumnWriter } from '../../print/columns.ts';
import { harmless } from '../../print/go-text.ts';
import { breakDown, compactRules, goList, resourceAndGroup } from '../../rbac/rules.ts';

interface RulesReview extends JsonObject {
  readonly status?: JsonObject & {
    readonly resourceRules?: readonly PolicyRule[];
    readonly nonResourceRules?: readonly PolicyRule[];
    readonly incomplete?: boolean;
    readonly evaluationError?: string;
  };
}

const HEADERS = ['Resources', 'Non-Resource URLs', 'Resource Names', 'Verbs'];

/** Shows all that one may do in the namespace, as far as the server can tell. */
export async function listRules(context: CommandContext, noHeaders: boolean): Promise<void> {
  const mapper = await context.resources();
  const group = mapper.names.get('group.authorization');
  const reviews = mapper.forKind({ group, kind: 'SelfSubjectRulesReview' });
  if (reviews === undefined) throw new CtlError('the server answers no questions about access');
  const { name: namespace } = await context.namespace();
  const { status = {} } = await (
    await context.api()
  ).json<RulesReview>({
    method: 'POST',
    path: resourcePath({ resource: reviews }),
    body: {
      apiVersion: formatGroupVersion(group, reviews.version),
      kind: reviews.kind,
      spec: { namespace },
    },
  });
  if (status.incomplete === true) {
    const why = status.evaluationError ?? '';
    await context.stderr.write(`Warning: the list may be incomplete: ${why}\n`);
  }
  const rules = [...(status.resourceRules ?? []), ...(status.nonResourceRules ?? [])];
  const rows = compactRules(rules.flatMap(breakDown)).map((rule) =>
    [
      resourceAndGroup(rule),
      goList(rule.nonResourceURLs),
      goList(rule.resourceNames),
      goList(rule.verbs),
    ].map(harmless),
  );
  await context.stdout.write(new ColumnWriter().lines(noHeaders ? rows : [HEADERS, ...rows]));
}
