import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Json, JsonObject } from '../../../meta/object.ts';
import { CtlError } from '../errors.ts';
import type { Kubeconfig, Entry } from './kubeconfig.ts';
import { SECTIONS, type Section } from './files.ts';

export interface ViewOptions {
  /** Secrets and certificates as they are. */
  readonly raw: boolean;
  /** What files hold in place of their names. */
  readonly flatten: boolean;
  /** Only what this context needs. */
  readonly minify: boolean;
  /** In place of the configuration's own. */
  readonly context: string | undefined;
}

/** Fields that name files, and those that hold the same inline. */
const FILE_FIELDS: Readonly<Record<string, string>> = {
  'certificate-authority': 'certificate-authority-data',
  'client-certificate': 'client-certificate-data',
  'client-key': 'client-key-data',
};
const HIDDEN: Readonly<Record<string, string>> = {
  'certificate-authority-data': 'DATA+OMITTED',
  'client-certificate-data': 'DATA+OMITTED',
  'client-key-data': 'DATA+OMITTED',
  token: 'REDACTED',
  password: 'REDACTED',
};

/** The configuration as one document, in the order that its type has. */
export async function viewKubeconfig(config: Kubeconfig, options: ViewOptions): Promise<JsonObject> {
  const current = options.minify ? (options.context ?? config.currentContext) : config.currentContext;
  const kept = options.minify ? namesOf(config, current) : undefined;
  const list = async (section: Section): Promise<Json> => {
    const entries = config
      .entries(section)
      .filter(({ name }) => kept === undefined || kept[section] === name);
    if (entries.length === 0) return null;
    return Promise.all(entries.map((entry) => shown(section, entry, options)));
  };
  return {
    kind: 'Config',
    apiVersion: 'v1',
    preferences: {},
    clusters: await list('clusters'),
    users: await list('users'),
    contexts: await list('contexts'),
    'current-context': current,
  };
}

/** The entries that a context needs. */
function namesOf(config: Kubeconfig, context: string): Record<Section, string> {
  if (context === '') throw new CtlError('current-context must exist in order to minify');
  const entry = config.entry('contexts', context);
  if (entry === undefined) throw new CtlError(`cannot locate context ${context}`);
  const { cluster, user } = entry.value as { cluster?: string; user?: string };
  return { contexts: context, clusters: cluster ?? '', users: user ?? '' };
}

async function shown(
  section: Section,
  { name, value, file }: Entry,
  options: ViewOptions,
): Promise<JsonObject> {
  const fields: JsonObject = { ...REQUIRED[section] };
  for (const [field, content] of Object.entries(value)) {
    const inline = FILE_FIELDS[field];
    if (inline === undefined || typeof content !== 'string') fields[field] = content;
    else {
      const path = resolve(dirname(file.path), content);
      if (!options.flatten) fields[field] = path;
      else if (value[inline] === undefined) fields[inline] = (await readFile(path)).toString('base64');
    }
  }
  if (!options.raw && !options.flatten) {
    for (const [field, text] of Object.entries(HIDDEN))
      if ((fields[field] ?? '') !== '') fields[field] = text;
  }
  const { exec } = fields;
  if (typeof exec === 'object' && exec !== null) fields['exec'] = { provideClusterInfo: false, ...exec };
  return { name, [SECTIONS[section]]: fields };
}

/** Fields that are shown whether they are there or not. */
const REQUIRED: Readonly<Record<Section, JsonObject>> = {
  clusters: { server: '' },
  contexts: { cluster: '', user: '' },
  users: {},
};
