import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAdmissionSettings } from '../../../src/app/admission-settings/open.ts';
import { readAdmissionSettings } from '../../../src/app/admission-settings/read.ts';
import { DEFAULT_SETTINGS, type AdmissionSettings } from '../../../src/app/admission-settings/settings.ts';
import { formatPolicy } from '../../../src/admission/pod-security/policy.ts';
import { loadNames } from '../../../src/names/load.ts';
import { ManualClock } from '../../support/manual-clock.ts';

/** What is told of an error at a start: with what caused it. */
function told(error: Error): string {
  return error.cause instanceof Error ? `${error.message}: ${told(error.cause)}` : error.message;
}

describe('--admission-control-config-file', () => {
  const names = loadNames({ profile: 'kubernetes' });
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'orch-admission-'))));
  after(() => rmSync(folder, { recursive: true }));

  const read = (text: string): Promise<AdmissionSettings> => {
    const file = join(folder, 'admission.yaml');
    writeFileSync(file, text);
    return readAdmissionSettings(file, names);
  };
  const top = (plugins: object[], fields: object = {}): string =>
    JSON.stringify({
      apiVersion: 'apiserver.config.k8s.io/v1',
      kind: 'AdmissionConfiguration',
      plugins,
      ...fields,
    });
  const one = (name: string, configuration: object): string => top([{ name, configuration }]);

  it('may be missing', async () => {
    assert.equal(await readAdmissionSettings('', names), DEFAULT_SETTINGS);
    assert.deepEqual(await read(top([])), DEFAULT_SETTINGS);
    assert.deepEqual(await read(top([{ name: 'Priority' }])), DEFAULT_SETTINGS);
  });

  const podSecurity = (fields: object): object => ({
    apiVersion: 'pod-security.admission.config.k8s.io/v1',
    kind: 'PodSecurityConfiguration',
    ...fields,
  });
  it('sets up PodSecurity', async () => {
    const configuration = podSecurity({
      defaults: { enforce: 'baseline', 'enforce-version': 'v1.20', warn: 'restricted' },
      exemptions: { usernames: ['bob'], namespaces: ['free'], runtimeClasses: ['vm'] },
    });
    const { defaults, exemptions } = (await read(one('PodSecurity', configuration))).podSecurity;
    assert.deepEqual([defaults.enforce, defaults.audit, defaults.warn].map(formatPolicy), [
      'baseline:v1.20',
      'privileged:latest',
      'restricted:latest',
    ]);
    assert.deepEqual(
      [...exemptions.users, ...exemptions.namespaces, ...exemptions.runtimeClasses],
      ['bob', 'free', 'vm'],
    );
  });

  const quotas = (fields: object): object => ({
    kind: 'ResourceQuotaConfiguration',
    apiVersion: 'apiserver.config.k8s.io/v1',
    ...fields,
  });
  it('sets up ResourceQuota, in old versions too', async () => {
    const limitedResources = [
      { resource: 'pods', matchContains: ['gpu'] },
      {
        apiGroup: 'apps',
        resource: 'deployments',
        matchScopes: [{ scopeName: 'PriorityClass', operator: 'Exists' }],
      },
    ];
    const expected = [
      { group: '', resource: 'pods', matchContains: ['gpu'], matchScopes: [] },
      {
        group: 'apps',
        resource: 'deployments',
        matchContains: [],
        matchScopes: [{ scope: 'PriorityClass', operator: 'Exists', values: [] }],
      },
    ];
    const old = {
      kind: 'Configuration',
      apiVersion: 'resourcequota.admission.k8s.io/v1beta1',
      limitedResources,
    };
    for (const configuration of [quotas({ limitedResources }), old])
      assert.deepEqual((await read(one('ResourceQuota', configuration))).limitedResources, expected);
  });

  const events = (limits: object[]): object => ({
    kind: 'Configuration',
    apiVersion: 'eventratelimit.admission.k8s.io/v1alpha1',
    limits,
  });
  it('sets up EventRateLimit from a file beside it', async () => {
    writeFileSync(
      join(folder, 'events.yaml'),
      JSON.stringify(events([{ type: 'Server', qps: 10, burst: 20 }])),
    );
    const { eventLimits } = await read(top([{ name: 'EventRateLimit', path: 'events.yaml' }]));
    assert.deepEqual(eventLimits, [{ type: 'Server', qps: 10, burst: 20, cacheSize: 4096 }]);
  });

  it('sets up PodNodeSelector and PodTolerationRestriction', async () => {
    const tolerations = {
      kind: 'Configuration',
      apiVersion: 'podtolerationrestriction.admission.k8s.io/v1alpha1',
      default: [{ key: 'a', operator: 'Exists', tolerationSeconds: 0 }],
      whitelist: [{ key: 'a', effect: 'NoExecute' }],
    };
    const settings = await read(
      top([
        {
          name: 'PodNodeSelector',
          configuration: {
            podNodeSelectorPluginConfig: { clusterDefaultNodeSelector: 'zone=a', n: 'a=b,c=d' },
          },
        },
        { name: 'PodTolerationRestriction', configuration: tolerations },
      ]),
    );
    assert.deepEqual([...settings.nodeSelectors.byDefault], [['zone', 'a']]);
    assert.deepEqual(
      [...(settings.nodeSelectors.allowed.get('n') ?? [])],
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    );
    assert.deepEqual(settings.tolerations, {
      byDefault: [{ key: 'a', operator: 'Exists', tolerationSeconds: 0 }],
      allowed: [{ key: 'a', effect: 'NoExecute' }],
    });
  });

  it('sets up ImagePolicyWebhook, also as a file of its own', async () => {
    const imagePolicy = { kubeConfigFile: '/k', allowTTL: 50, denyTTL: -1, defaultAllow: true };
    const expected = {
      kubeconfigFile: '/k',
      allowedMs: 50_000,
      deniedMs: 0,
      retryPauseMs: 500,
      allowsByDefault: true,
    };
    assert.deepEqual((await read(one('ImagePolicyWebhook', { imagePolicy }))).imagePolicy, expected);
    assert.deepEqual((await read(JSON.stringify({ imagePolicy }))).imagePolicy, expected);
  });

  const bad: [title: string, text: string, expected: RegExp][] = [
    ['nothing', '', /admission.yaml: empty config data/],
    ['no YAML', '{', /admission.yaml: /],
    ['another kind', JSON.stringify({ apiVersion: 'v1', kind: 'Pod' }), /no kind "Pod" of version "v1"/],
    ['unknown fields', top([], { plugin: [] }), /unknown field "plugin"/],
    [
      'keys that occur twice',
      'kind: AdmissionConfiguration\nkind: X\napiVersion: apiserver.config.k8s.io/v1\n',
      /kind/,
    ],
    ['an unknown plugin', top([{ name: 'PodSafety' }]), /plugins\[0\]: there is no plugin "PodSafety"/],
    [
      'a plugin twice',
      top([
        { name: 'PodSecurity', configuration: podSecurity({}) },
        { name: 'PodSecurity', configuration: podSecurity({}) },
      ]),
      /plugins\[1\]: PodSecurity is there twice/,
    ],
    ['a file that is not there', top([{ name: 'PodSecurity', path: 'gone.yaml' }]), /gone.yaml: ENOENT/],
    [
      'a level that is none',
      one('PodSecurity', podSecurity({ defaults: { enforce: 'strict', 'warn-version': '1' } })),
      /PodSecurity: defaults.enforce: must be one of.*defaults.warn-version/,
    ],
    [
      'names that are none',
      one('PodSecurity', podSecurity({ exemptions: { namespaces: ['A', 'b', 'b'], usernames: [''] } })),
      /usernames\[0\].*namespaces\[0\].*namespaces\[2\]: "b" is there twice/,
    ],
    [
      'unknown fields of a plugin',
      one('PodSecurity', podSecurity({ default: {} })),
      /PodSecurity: .*unknown field "default"/,
    ],
    [
      'a resource without a name',
      one('ResourceQuota', quotas({ limitedResources: [{}] })),
      /limitedResources\[0\].resource must not be empty/,
    ],
    ['no limits', one('EventRateLimit', events([])), /limits must not be empty/],
    [
      'limits that are none',
      one('EventRateLimit', events([{ type: 'Pod', qps: 0, burst: -1, cacheSize: -1 }])),
      /limits\[0\].type.*qps.*burst.*cacheSize/,
    ],
    [
      'labels that are none',
      one('PodNodeSelector', { podNodeSelectorPluginConfig: { n: 'a' } }),
      /podNodeSelectorPluginConfig.n/,
    ],
    [
      'a time that is too long',
      one('ImagePolicyWebhook', { imagePolicy: { kubeConfigFile: 'k', allowTTL: 1801 } }),
      /allowTTL must be between 1 and 1800/,
    ],
    ['no webhook', one('ImagePolicyWebhook', { imagePolicy: {} }), /kubeConfigFile must not be empty/],
  ];
  for (const [title, text, expected] of bad) {
    it(`refuses ${title}, by flag and file`, async () => {
      await assert.rejects(read(text), (error: Error) => {
        assert.match(error.message, /^--admission-control-config-file: /);
        assert.match(told(error), expected);
        return true;
      });
    });
  }

  const open = (enabled: string[], configurationFile = '') =>
    openAdmissionSettings({
      config: {
        admission: { enabled, disabled: [], configurationFile, notReadySeconds: 0, unreachableSeconds: 0 },
      },
      names,
      clock: new ManualClock(),
    });

  it('is needed by plugins that do nothing without it', async () => {
    assert.equal((await open([])).imageWebhook, undefined);
    await assert.rejects(open(['EventRateLimit']), /EventRateLimit runs only where/);
    await assert.rejects(open(['ImagePolicyWebhook']), /ImagePolicyWebhook runs only where/);
  });

  it('names a webhook that can be used', async () => {
    const file = join(folder, 'images.yaml');
    writeFileSync(file, JSON.stringify({ imagePolicy: { kubeConfigFile: join(folder, 'none') } }));
    await assert.rejects(open(['ImagePolicyWebhook'], file), /imagePolicy.kubeConfigFile$/);
    assert.equal((await open([], file)).imageWebhook, undefined);
  });
});
