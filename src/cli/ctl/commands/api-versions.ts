import { formatGroupVersion } from '../../../meta/object.ts';
import { defineCommand } from '../command.ts';
import { UsageError } from '../errors.ts';

export const apiVersions = defineCommand({
  usage: '',
  description: 'List the versions of the API that the server has, as objects name them in apiVersion.',
  flags: {},
  async run({ context, args }) {
    if (args.length > 0) throw new UsageError(`unexpected arguments: [${args.join(' ')}]`);
    const { groups } = await context.resources();
    const versions = groups.flatMap(({ name, versions }) =>
      versions.map(({ version }) => formatGroupVersion(name, version)),
    );
    await context.stdout.write(
      versions
        .sort()
        .map((version) => `${version}\n`)
        .join(''),
    );
  },
});
