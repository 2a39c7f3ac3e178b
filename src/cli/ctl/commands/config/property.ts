import { defineCommand } from '../../command.ts';
import { CtlError } from '../../errors.ts';
import { SECTIONS, type Section } from '../../kubeconfig/files.ts';
import { Kubeconfig } from '../../kubeconfig/kubeconfig.ts';
import { exactly } from './arguments.ts';

export const setProperty = defineCommand({
  usage: 'PROPERTY VALUE',
  description: 'Set one property: current-context, or SECTION.NAME.FIELD such as clusters.prod.server.',
  flags: {
    'set-raw-bytes': {
      type: 'switch',
      help: 'Encode the value of a *-data field, which is expected encoded otherwise.',
    },
  },
  async run({ context, flags, args }) {
    const [property, value] = exactly(args, 2) as [string, string];
    if (value === '') throw new CtlError('you cannot use set to unset a property');
    const config = await Kubeconfig.load(context);
    const place = placeOf(config, property);
    if (place === undefined) config.currentContext = value;
    else if (place.field === undefined) throw new CtlError(`a whole entry can't be set: ${property}`);
    else {
      const bytes = place.field.endsWith('-data') && flags['set-raw-bytes'];
      const content = bytes ? Buffer.from(value).toString('base64') : value;
      config.change(place.section, place.name, { [place.field]: typed(place.field, content) });
    }
    await config.save();
    await context.stdout.write(`Property ${JSON.stringify(property)} set.\n`);
  },
});

export const unsetProperty = defineCommand({
  usage: 'PROPERTY',
  description:
    'Remove one property: current-context, SECTION.NAME.FIELD, or with SECTION.NAME a whole entry.',
  flags: {},
  async run({ context, args }) {
    const [property] = exactly(args, 1);
    const config = await Kubeconfig.load(context);
    const place = placeOf(config, property);
    if (place === undefined) config.currentContext = '';
    else if (place.field === undefined) config.remove(place.section, place.name);
    else if (config.entry(place.section, place.name) !== undefined) {
      config.change(place.section, place.name, { [place.field]: undefined });
    } else throw new CtlError(`current map key \`${place.name}\` is invalid`);
    await config.save();
    await context.stdout.write(`Property ${JSON.stringify(property)} unset.\n`);
  },
});

interface Place {
  readonly section: Section;
  readonly name: string;
  readonly field: string | undefined;
}

/** Names may have dots: the longest one that there is counts. @returns undefined for the current context. */
function placeOf(config: Kubeconfig, property: string): Place | undefined {
  if (property === 'current-context') return undefined;
  const [section = '', ...rest] = property.split('.');
  if (!(section in SECTIONS) || rest.length === 0) {
    throw new CtlError(`unable to parse path ${JSON.stringify(property)}`, {
      hint: 'It is current-context, or begins with clusters, contexts or users, e.g. clusters.NAME.server.',
    });
  }
  const known = section as Section;
  const path = rest.join('.');
  const names = config.entries(known).map(({ name }) => name);
  const name = names
    .filter((one) => path === one || path.startsWith(`${one}.`))
    .sort((a, b) => b.length - a.length)[0];
  const chosen = name ?? (rest.length === 1 ? path : rest.slice(0, -1).join('.'));
  const field = path.slice(chosen.length + 1);
  return { section: known, name: chosen, field: field === '' ? undefined : field };
}

function typed(field: string, text: string): string | boolean {
  if (field !== 'insecure-skip-tls-verify') return text;
  if (text !== 'true' && text !== 'false') throw new CtlError(`${field} is true or false`);
  return text === 'true';
}
