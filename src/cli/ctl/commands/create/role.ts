import { formatGroupVersion } from '../../../../meta/object.ts';
import { defineCommand } from '../../command.ts';
import { requireName } from '../../create/name.ts';
import { resourceRules, RULE_FLAGS, unusualVerbs, verbsOf } from '../../create/rules.ts';
import { CtlError } from '../../errors.ts';
import { CREATE_FLAGS, createObject } from '../../objects/create-object.ts';

export const role = defineCommand({
  usage: 'NAME --verb=VERB --resource=RESOURCE[.GROUP][/SUBRESOURCE] [--resource-name=NAME]',
  description: 'Create a role with what it allows in its namespace.',
  examples: `
    orchctl create role pod-reader --verb=get,list,watch --resource=pods,pods/log
    orchctl create role scaler --verb=patch --resource=deployments/scale --resource-name=web`,
  flags: { ...CREATE_FLAGS, ...RULE_FLAGS },
  async run({ context, flags, args }) {
    const name = requireName(args);
    const verbs = verbsOf(flags);
    if (verbs.length === 0) throw new CtlError('at least one verb must be specified');
    for (const verb of unusualVerbs(verbs))
      await context.stderr.write(`Warning: '${verb}' is not a standard resource verb\n`);
    if (flags.resource.length === 0) throw new CtlError('at least one resource must be specified');
    const mapper = await context.resources();
    await createObject(context, flags, {
      object: {
        apiVersion: formatGroupVersion(mapper.names.get('group.rbac'), 'v1'),
        kind: 'Role',
        metadata: { name },
        rules: resourceRules(flags, mapper),
      },
      inNamespace: true,
    });
  },
});
