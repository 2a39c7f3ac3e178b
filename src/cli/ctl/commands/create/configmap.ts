import { defineCommand } from '../../command.ts';
import { requireName } from '../../create/name.ts';
import { CREATE_FLAGS, createObject } from '../../objects/create-object.ts';
import { KEY_VALUE_FLAGS, readKeyValues, splitByText } from '../../objects/key-values.ts';

export const configMap = defineCommand({
  usage: 'NAME [--from-literal=KEY=VALUE] [--from-file=[KEY=]FILE] [--from-env-file=FILE]',
  description: 'Create a config map of values, files or folders.',
  examples: `
    orchctl create configmap settings --from-literal=mode=fast --from-file=app.conf`,
  flags: { ...CREATE_FLAGS, ...KEY_VALUE_FLAGS },
  async run({ context, flags, args }) {
    const name = requireName(args);
    const { texts, others } = splitByText(await readKeyValues(context.cwd, flags));
    await createObject(context, flags, {
      object: {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name },
        ...(Object.keys(texts).length === 0 ? {} : { data: texts }),
        ...(Object.keys(others).length === 0 ? {} : { binaryData: others }),
      },
      inNamespace: true,
    });
  },
});
