import { formatGroupVersion, type JsonObject } from '../../../../meta/object.ts';
import type { ResourceMapper } from '../../api/resource-mapper.ts';
import { defineCommand } from '../../command.ts';
import type { CommandContext } from '../../context.ts';
import { keyValues } from '../../create/key-values.ts';
import { requireName } from '../../create/name.ts';
import { resourceRules, RULE_FLAGS, unusualVerbs, verbsOf, type RuleChoice } from '../../create/rules.ts';
import { CtlError } from '../../errors.ts';
import { CREATE_FLAGS, createObject } from '../../objects/create-object.ts';

interface ClusterRuleChoice extends RuleChoice {
  readonly 'non-resource-url': readonly string[];
}

export const clusterRole = defineCommand({
  usage:
    'NAME (--verb=VERB (--resource=RESOURCE[.GROUP][/SUBRESOURCE] | --non-resource-url=PATH) | --aggregation-rule=KEY=VALUE)',
  description: 'Create a cluster role with what it allows, or of what it is made up.',
  examples: `
    orchctl create clusterrole node-reader --verb=get,list,watch --resource=nodes
    orchctl create clusterrole logs --verb=get --non-resource-url='/logs/*'
    orchctl create clusterrole monitoring --aggregation-rule=example.com/monitoring=true`,
  flags: {
    ...CREATE_FLAGS,
    ...RULE_FLAGS,
    'non-resource-url': {
      type: 'list',
      commas: true,
      help: 'A path of the server that is no resource; * at its end stands for all below.',
    },
    'aggregation-rule': {
      type: 'list',
      commas: true,
      help: 'A label, as KEY=VALUE, of the cluster roles that it is made up of.',
    },
  },
  async run({ context, flags, args }) {
    const name = requireName(args);
    const mapper = await context.resources();
    await createObject(context, flags, {
      object: {
        apiVersion: formatGroupVersion(mapper.names.get('group.rbac'), 'v1'),
        kind: 'ClusterRole',
        metadata: { name },
        ...(flags['aggregation-rule'].length > 0
          ? { aggregationRule: aggregationOf(flags), rules: null }
          : { rules: await rulesOf(context, flags, mapper) }),
      },
      inNamespace: false,
    });
  },
});

function aggregationOf(
  choice: ClusterRuleChoice & { readonly 'aggregation-rule': readonly string[] },
): JsonObject {
  const others = [choice['non-resource-url'], choice.verb, choice.resource, choice['resource-name']];
  if (others.some((values) => values.length > 0))
    throw new CtlError(
      'aggregation rule must be specified without nonResourceURLs, verbs, resources or resourceNames',
    );
  const matchLabels = keyValues(
    choice['aggregation-rule'],
    (text) => `malformed pair ${JSON.stringify(text)}, expect string=string`,
  );
  return { clusterRoleSelectors: [{ matchLabels }] };
}

const PATH_VERBS: readonly string[] = ['*', 'get', 'post', 'put', 'delete', 'patch', 'head', 'options'];

async function rulesOf(
  { stderr }: CommandContext,
  choice: ClusterRuleChoice,
  mapper: ResourceMapper,
): Promise<JsonObject[]> {
  const verbs = verbsOf(choice);
  const paths = [...new Set(choice['non-resource-url'])];
  if (verbs.length === 0) throw new CtlError('at least one verb must be specified');
  if (choice.resource.length === 0 && paths.length === 0)
    throw new CtlError('one of resource or nonResourceURL must be specified');
  if (choice.resource.length > 0) {
    for (const verb of unusualVerbs(verbs))
      await stderr.write(`Warning: '${verb}' is not a standard resource verb\n`);
  }
  const rules = resourceRules(choice, mapper);
  if (paths.length === 0) return rules;
  const unknown = verbs.find((verb) => !PATH_VERBS.includes(verb));
  if (unknown !== undefined) throw new CtlError(`invalid verb: '${unknown}' for nonResourceURL`);
  for (const path of paths) checkPath(path);
  return [...rules, { nonResourceURLs: paths, verbs: [...verbs] }];
}

function checkPath(path: string): void {
  if (path === '*') return;
  if (!path.startsWith('/')) throw new CtlError('nonResourceURL should start with /');
  if (path.slice(0, -1).includes('*'))
    throw new CtlError("nonResourceURL only supports wildcard matches when '*' is at the end");
}
