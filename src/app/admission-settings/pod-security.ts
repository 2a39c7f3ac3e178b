import type { PodSecurityConfiguration } from '../../admission/pod-security/configuration.ts';
import {
  LEVEL_RULE,
  parseLevel,
  parseVersion,
  VERSION_RULE,
  type LevelVersion,
  type Mode,
} from '../../admission/pod-security/policy.ts';
import { dnsLabelProblems, dnsSubdomainProblems } from '../../meta/names.ts';
import type { JsonObject } from '../../meta/object.ts';
import type { NamingProfile } from '../../names/profile.ts';
import { readConfigurationObject } from '../../schema/configuration/read.ts';
import { list, record } from '../../schema/configuration/shape.ts';

const SHAPE = record({
  defaults: record({
    enforce: 'string',
    'enforce-version': 'string',
    audit: 'string',
    'audit-version': 'string',
    warn: 'string',
    'warn-version': 'string',
  }),
  exemptions: record({
    usernames: list('string'),
    namespaces: list('string'),
    runtimeClasses: list('string'),
  }),
});

/** Reads a PodSecurityConfiguration. @throws Error naming everything that is wrong */
export function readPodSecurity(value: JsonObject, names: NamingProfile): PodSecurityConfiguration {
  const group = names.get('config.pod-security');
  const { defaults, exemptions } = readConfigurationObject(value, {
    kind: 'PodSecurityConfiguration',
    apiVersions: [`${group}/v1`, `${group}/v1beta1`, `${group}/v1alpha1`],
    shape: SHAPE,
  });
  const problems: string[] = [];
  const read = (mode: Mode): LevelVersion => {
    const level = parseLevel(defaults[mode] || 'privileged');
    const version = parseVersion(defaults[`${mode}-version`] || 'latest');
    if (level === undefined) problems.push(`defaults.${mode}: ${LEVEL_RULE}`);
    if (version === undefined) problems.push(`defaults.${mode}-version: ${VERSION_RULE}`);
    return { level: level ?? 'restricted', version: version ?? 0 };
  };
  const policy = { enforce: read('enforce'), audit: read('audit'), warn: read('warn') };
  const exempt = (
    field: keyof typeof exemptions,
    check: (name: string) => readonly string[],
  ): Set<string> => {
    const seen = new Set<string>();
    for (const [i, name] of exemptions[field].entries()) {
      const path = `exemptions.${field}[${i}]`;
      problems.push(...check(name).map((problem) => `${path}: ${problem}`));
      if (seen.has(name)) problems.push(`${path}: ${JSON.stringify(name)} is there twice`);
      seen.add(name);
    }
    return seen;
  };
  const configuration = {
    defaults: policy,
    exemptions: {
      users: exempt('usernames', (name) => (name === '' ? ['must not be empty'] : [])),
      namespaces: exempt('namespaces', dnsLabelProblems),
      runtimeClasses: exempt('runtimeClasses', dnsSubdomainProblems),
    },
  };
  if (problems.length > 0) throw new Error(problems.join(', '));
  return configuration;
}
