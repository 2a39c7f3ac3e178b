import { parseLabels, type NodeLabels } from '../../admission/pod-node-selector/labels.ts';
import type { JsonObject } from '../../meta/object.ts';
import type { NamingProfile } from '../../names/profile.ts';
import { readConfigurationObject, readShape } from '../../schema/configuration/read.ts';
import { list, map, optional, record } from '../../schema/configuration/shape.ts';
import type { AdmissionSettings, ImagePolicySettings } from './settings.ts';

const TOLERATION = record({
  key: 'string',
  operator: 'string',
  value: 'string',
  effect: 'string',
  tolerationSeconds: optional('integer'),
});

/** Reads what pods tolerate, and may tolerate. @throws Error naming everything that is wrong */
export function readTolerations(value: JsonObject, names: NamingProfile): AdmissionSettings['tolerations'] {
  const { default: byDefault, whitelist } = readConfigurationObject(value, {
    kind: 'Configuration',
    apiVersions: [`${names.get('config.pod-toleration-restriction')}/v1alpha1`],
    shape: record({ default: list(TOLERATION), whitelist: list(TOLERATION) }),
  });
  const said = (toleration: Readonly<Record<string, string | number | undefined>>): JsonObject =>
    Object.fromEntries(Object.entries(toleration).filter(([, one]) => one !== '' && one !== undefined));
  return { byDefault: byDefault.map(said), allowed: whitelist.map(said) };
}

/** The key of what pods choose whose namespace doesn't say; the others are namespaces. */
const BY_DEFAULT = 'clusterDefaultNodeSelector';

/** Reads the nodes that pods choose. @throws Error naming everything that is wrong */
export function readNodeSelectors(value: JsonObject): AdmissionSettings['nodeSelectors'] {
  const shape = record({ podNodeSelectorPluginConfig: map('string') });
  const { podNodeSelectorPluginConfig: given } = readShape(value, shape);
  const allowed = new Map<string, NodeLabels>();
  const problems: string[] = [];
  for (const [name, text] of given) {
    const labels = parseLabels(text);
    if (labels === undefined)
      problems.push(`podNodeSelectorPluginConfig.${name}: want labels such as a=b,c=d`);
    else allowed.set(name, labels);
  }
  if (problems.length > 0) throw new Error(problems.join(', '));
  const byDefault = allowed.get(BY_DEFAULT) ?? new Map<string, string>();
  allowed.delete(BY_DEFAULT);
  return { byDefault, allowed };
}

const IMAGES = record({
  imagePolicy: record({
    kubeConfigFile: 'string',
    allowTTL: 'integer',
    denyTTL: 'integer',
    retryBackoff: 'integer',
    defaultAllow: 'boolean',
  }),
});

interface Bounds {
  /** Of the number in the file, in milliseconds. */
  readonly unit: number;
  readonly min: number;
  readonly max: number;
  /** What 0 stands for. */
  readonly byDefault: number;
}

const HALF_AN_HOUR = 1_800_000;
const ALLOWED: Bounds = { unit: 1000, min: 1000, max: HALF_AN_HOUR, byDefault: 300_000 };
const DENIED: Bounds = { ...ALLOWED, byDefault: 30_000 };
const PAUSE: Bounds = { unit: 1, min: 1, max: 300_000, byDefault: 500 };

/** Reads how a webhook judges images. @throws Error naming everything that is wrong */
export function readImagePolicy(value: JsonObject): ImagePolicySettings {
  const { imagePolicy } = readShape(value, IMAGES);
  const problems: string[] = [];
  const time = (field: 'allowTTL' | 'denyTTL' | 'retryBackoff', bounds: Bounds): number => {
    const given = imagePolicy[field];
    if (given === -1) return 0;
    const ms = given === 0 ? bounds.byDefault : given * bounds.unit;
    const { unit, min, max } = bounds;
    if (ms < min || ms > max)
      problems.push(`imagePolicy.${field} must be between ${min / unit} and ${max / unit}, or -1 for none`);
    return ms;
  };
  if (imagePolicy.kubeConfigFile === '') problems.push('imagePolicy.kubeConfigFile must not be empty');
  const settings = {
    kubeconfigFile: imagePolicy.kubeConfigFile,
    allowedMs: time('allowTTL', ALLOWED),
    deniedMs: time('denyTTL', DENIED),
    retryPauseMs: time('retryBackoff', PAUSE),
    allowsByDefault: imagePolicy.defaultAllow,
  };
  if (problems.length > 0) throw new Error(problems.join(', '));
  return settings;
}
