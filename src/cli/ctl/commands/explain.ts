import { parseGroupVersion } from '../../../meta/object.ts';
import type { ApiResource } from '../api/resource.ts';
import { qualifiedResource } from '../api/resource.ts';
import type { ResourceMapper } from '../api/resource-mapper.ts';
import { defineCommand } from '../command.ts';
import { CtlError } from '../errors.ts';
import { FieldExplainer } from '../explain/explain-field.ts';
import { SchemaDocument } from '../explain/schema.ts';

export const explain = defineCommand({
  usage: 'TYPE[.FIELD...] [--recursive] [--api-version=GROUP/VERSION]',
  description: 'Tell what the fields of a type mean, from the schema that the server publishes.',
  examples: `
    # A type and its fields
    orchctl explain pods
    # The names of all fields below
    orchctl explain pods --recursive
    # One field
    orchctl explain deployment.spec.strategy.type
    # Another version than the preferred one
    orchctl explain hpa --api-version=autoscaling/v1`,
  arguments: 'resource-types',
  flags: {
    recursive: { type: 'switch', help: 'Name all fields below, without what they mean.' },
    'api-version': {
      type: 'text',
      help: 'The version to tell of; by default the one that the server prefers.',
    },
    output: {
      type: 'text',
      short: 'o',
      default: 'plaintext',
      choices: ['plaintext'],
      hidden: true,
      help: 'The form of the text; there is one.',
    },
  },
  async run({ context, flags, args }) {
    const [asked, more] = args;
    if (asked === undefined) {
      throw new CtlError(
        'You must specify the type of resource to explain. Use "orchctl api-resources" for a complete list of supported resources.',
      );
    }
    if (more !== undefined) throw new CtlError('We accept only this format: explain RESOURCE');
    const mapper = await context.resources();
    const { resource: found, path } = splitPath(mapper, asked);
    const resource = inVersion(mapper, found, flags['api-version']);
    const { group, version, kind } = resource;
    const api = await context.api();
    const document = await api.json({
      path: group === '' ? `/openapi/v3/api/${version}` : `/openapi/v3/apis/${group}/${version}`,
    });
    const schemas = new SchemaDocument(document);
    const extension = mapper.names.get('extension.group-version-kind');
    const schema = schemas.ofKind({ group, version, kind }, extension);
    if (schema === undefined) {
      throw new CtlError(
        `the server publishes no schema of ${kind} in ${group === '' ? '' : `${group}/`}${version}`,
      );
    }
    const head = `${group === '' ? '' : `GROUP:      ${group}\n`}KIND:       ${kind}\nVERSION:    ${version}\n\n`;
    await context.stdout.write(head);
    const text = new FieldExplainer(schemas, flags.recursive).explain(schema, path);
    if (text === undefined) throw new CtlError(`field ${JSON.stringify(path.at(-1))} does not exist`);
    await context.stdout.write(`${text}\n`);
  },
});

interface ExplainPath {
  readonly resource: ApiResource;
  readonly path: readonly string[];
}

/** The type may be written with its group, whose dots are no path. */
function splitPath(mapper: ResourceMapper, asked: string): ExplainPath {
  const text = asked.replace(/\.$/, '');
  const [word = '', ...path] = text.split('.');
  const first = mapper.find(word);
  const alike = mapper.all.filter(({ resource }) => resource === first.resource);
  for (const resource of [first, ...alike]) {
    const full = qualifiedResource(resource);
    if (resource.group === '' || (text !== full && !text.startsWith(`${full}.`))) continue;
    return {
      resource,
      path: text
        .slice(full.length + 1)
        .split('.')
        .filter(Boolean),
    };
  }
  return { resource: first, path };
}

function inVersion(mapper: ResourceMapper, resource: ApiResource, apiVersion = ''): ApiResource {
  if (apiVersion === '') return resource;
  const { group, version } = parseGroupVersion(apiVersion) ?? { group: '', version: apiVersion };
  const found = mapper.all.find(
    (other) => other.resource === resource.resource && other.group === group && other.version === version,
  );
  if (found !== undefined) return found;
  throw new CtlError(
    `couldn't find resource for ${JSON.stringify(`${resource.resource} in ${apiVersion}`)}`,
    {
      hint: 'orchctl api-versions lists the versions that there are.',
    },
  );
}
