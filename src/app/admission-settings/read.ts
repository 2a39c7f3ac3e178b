import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { PLUGIN_ORDER } from '../../admission/order.ts';
import { isObject, type Json, type JsonObject } from '../../meta/object.ts';
import type { NamingProfile } from '../../names/profile.ts';
import { parseConfiguration, readConfigurationObject } from '../../schema/configuration/read.ts';
import { list, optional, record } from '../../schema/configuration/shape.ts';
import { readEventLimits, readLimitedResources } from './limits.ts';
import { readPodSecurity } from './pod-security.ts';
import { readImagePolicy, readNodeSelectors, readTolerations } from './pods.ts';
import { DEFAULT_SETTINGS, type AdmissionSettings } from './settings.ts';

const FLAG = '--admission-control-config-file';

const SHAPE = record({
  plugins: list(record({ name: 'string', path: 'string', configuration: optional('any') })),
});

/** What is made of the configuration of one plugin. */
type ReadPlugin = (value: JsonObject, names: NamingProfile) => Partial<AdmissionSettings>;

const READERS: ReadonlyMap<string, ReadPlugin> = new Map<string, ReadPlugin>([
  ['PodSecurity', (value, names) => ({ podSecurity: readPodSecurity(value, names) })],
  ['ResourceQuota', (value, names) => ({ limitedResources: readLimitedResources(value, names) })],
  ['EventRateLimit', (value, names) => ({ eventLimits: readEventLimits(value, names) })],
  ['PodNodeSelector', (value) => ({ nodeSelectors: readNodeSelectors(value) })],
  ['PodTolerationRestriction', (value, names) => ({ tolerations: readTolerations(value, names) })],
  ['ImagePolicyWebhook', (value) => ({ imagePolicy: readImagePolicy(value) })],
]);

/** Files that are the configuration of one plugin alone, by the field that tells. */
const OLD_FILES: ReadonlyMap<string, string> = new Map([
  ['imagePolicy', 'ImagePolicyWebhook'],
  ['podNodeSelectorPluginConfig', 'PodNodeSelector'],
]);

/**
 * Reads an AdmissionConfiguration and the files that it names, relative to its own folder.
 *
 * @param file absolute; '' for none @throws Error naming the flag and the file, its cause what is wrong
 */
export async function readAdmissionSettings(file: string, names: NamingProfile): Promise<AdmissionSettings> {
  if (file === '') return DEFAULT_SETTINGS;
  let settings = DEFAULT_SETTINGS;
  for (const { name, where, value } of await pluginsOf(file, names)) {
    try {
      settings = { ...settings, ...READERS.get(name)?.(value, names) };
    } catch (cause) {
      throw new Error(`${FLAG}: ${where}: ${name}`, { cause });
    }
  }
  return settings;
}

interface PluginFile {
  readonly name: string;
  /** The file that it is in. */
  readonly where: string;
  readonly value: JsonObject;
}

async function pluginsOf(file: string, names: NamingProfile): Promise<PluginFile[]> {
  const { value, problems } = await parse(file);
  if (value['kind'] === undefined && value['apiVersion'] === undefined) {
    const old = [...OLD_FILES].filter(([field]) => value[field] !== undefined);
    if (old.length > 0)
      return old.map(([field, name]) => ({ name, where: file, value: { [field]: value[field] } }));
  }
  const { plugins } = readTop(file, value, { names, problems });
  const found: PluginFile[] = [];
  for (const [i, { name, path, configuration }] of plugins.entries()) {
    const fail = (why: string): never => {
      throw new Error(`${FLAG}: ${file}: plugins[${i}]: ${why}`);
    };
    if (!PLUGIN_ORDER.includes(name)) fail(`there is no plugin ${JSON.stringify(name)}`);
    if (found.some((other) => other.name === name)) fail(`${name} is there twice`);
    if (configuration !== undefined) {
      if (!isObject(configuration as Json)) fail(`configuration: want an object`);
      found.push({ name, where: file, value: configuration as JsonObject });
    } else if (path !== '') {
      const where = resolve(dirname(file), path);
      found.push({ name, where, value: (await parse(where)).value });
    }
  }
  return found;
}

function readTop(
  file: string,
  value: JsonObject,
  { names, problems }: { readonly names: NamingProfile; readonly problems: readonly string[] },
) {
  const apiVersions = [
    `${names.get('config.apiserver')}/v1`,
    `${names.get('config.apiserver-legacy')}/v1alpha1`,
  ];
  try {
    return readConfigurationObject(
      value,
      { kind: 'AdmissionConfiguration', apiVersions, shape: SHAPE },
      problems,
    );
  } catch (cause) {
    throw new Error(`${FLAG}: ${file}`, { cause });
  }
}

async function parse(file: string): Promise<ReturnType<typeof parseConfiguration>> {
  try {
    return parseConfiguration(await readFile(file, 'utf8'));
  } catch (cause) {
    throw new Error(`${FLAG}: ${file}`, { cause });
  }
}
