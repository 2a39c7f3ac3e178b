import assert from 'node:assert/strict';
import type { AdmissionRequest } from '../../../../src/admission/admission.ts';
import { allChecks, evaluator } from '../../../../src/admission/pod-security/checks/checks.ts';
import {
  NO_CONFIGURATION,
  type PodSecurityConfiguration,
} from '../../../../src/admission/pod-security/configuration.ts';
import { podSecurity } from '../../../../src/admission/pod-security/plugin.ts';
import { formatPolicy } from '../../../../src/admission/pod-security/policy.ts';
import { ApiError } from '../../../../src/errors/api-error.ts';
import type { ApiObject, JsonObject } from '../../../../src/meta/object.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { pod, podRequest } from '../pod-requests.ts';
import { admissionRequest, object, user } from '../requests.ts';

const LABELS = {
  enforce: { level: 'enforce', version: 'enforce-version' },
  audit: { level: 'audit', version: 'audit-version' },
  warn: { level: 'warn', version: 'warn-version' },
};
const annotations = { appArmorPrefix: 'armor/', seccompPod: 'seccomp/pod', seccompPrefix: 'seccomp/of/' };

describe('PodSecurity', () => {
  const clock = new ManualClock();
  let told: string[];
  let audited: Record<string, string>;
  beforeEach(() => {
    told = [];
    audited = {};
  });

  interface Surroundings {
    /** Of the namespace; undefined: there is none. */
    readonly labels?: Record<string, string> | undefined;
    readonly pods?: readonly ApiObject[];
    readonly configuration?: PodSecurityConfiguration;
    /** Called whenever an existing pod is read. */
    readonly onRead?: () => void;
  }

  /** @returns the code of the answer and what it warns of */
  async function ask(
    request: AdmissionRequest,
    { labels, pods = [], configuration = NO_CONFIGURATION, onRead }: Surroundings,
  ): Promise<{ answer: string; warnings: string[] }> {
    const warnings: string[] = [];
    const plugin = podSecurity({
      labels: LABELS,
      configuration,
      evaluate: evaluator(allChecks({ annotations, trustsUserNamespaces: false })),
      namespaceLabels: () => Promise.resolve(labels),
      listPods: () =>
        Promise.resolve(
          pods.map((one) => ({ name: one.metadata.name ?? '', object: () => (onRead?.(), one) })),
        ),
      clock,
      audit: { enforced: 'enforced', violations: 'violations', exempt: 'exempt', error: 'error' },
      observer: {
        evaluated: (decision, policy, mode) => told.push(`${mode} ${decision} ${formatPolicy(policy)}`),
        exempted: () => told.push('exempt'),
        failed: (fatal) => told.push(fatal ? 'failed' : 'misread'),
      },
    });
    try {
      await plugin.validate?.({
        ...request,
        warn: (text) => void warnings.push(text),
        annotate: (name, text) => void (audited[name] = text),
      });
      return { answer: 'allowed', warnings };
    } catch (error) {
      assert.ok(error instanceof ApiError);
      return { answer: `${error.code} ${error.message}`, warnings };
    }
  }

  const HOST = { hostNetwork: true, containers: [{ name: 'c', image: 'i' }] };

  it('refuses pods that break what is enforced', async () => {
    const { answer, warnings } = await ask(podRequest(pod(HOST)), { labels: { enforce: 'baseline' } });
    assert.equal(
      answer,
      '403 pods "p" is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostNetwork=true)',
    );
    assert.deepEqual(warnings, []);
    assert.deepEqual(told, ['enforce deny baseline:latest']);
  });

  it('warns of others, and counts what would be recorded', async () => {
    const { answer, warnings } = await ask(podRequest(pod(HOST)), {
      labels: { enforce: 'privileged', warn: 'baseline', audit: 'restricted', 'audit-version': 'v1.20' },
    });
    assert.equal(answer, 'allowed');
    assert.deepEqual(warnings, [
      'would violate PodSecurity "baseline:latest": host namespaces (hostNetwork=true)',
    ]);
    assert.deepEqual(told, [
      'enforce allow privileged:latest',
      'audit deny restricted:v1.20',
      'warn deny baseline:latest',
    ]);
  });

  it('tells the audit event what is enforced, what would be refused and who is exempt', async () => {
    await ask(podRequest(pod(HOST)), {
      labels: { enforce: 'baseline', audit: 'baseline', 'warn-version': 'x' },
    });
    assert.deepEqual(audited, {
      enforced: 'baseline:latest',
      violations: 'would violate PodSecurity "baseline:latest": host namespaces (hostNetwork=true)',
      error: 'labels of the namespace can not be read: warn-version must be "latest" or "v1.x"',
    });
    audited = {};
    await ask(podRequest(pod(HOST), { namespace: 'free' }), { ...STRICT, configuration: EXEMPT });
    assert.deepEqual(audited, { exempt: 'namespace' });
  });

  it('looks at nothing where everything is allowed', async () => {
    assert.equal((await ask(podRequest(pod(HOST)), { labels: {} })).answer, 'allowed');
    assert.deepEqual(told, ['enforce allow privileged:latest']);
  });

  it('is strict where a label can not be read', async () => {
    const { answer } = await ask(podRequest(pod(HOST)), { labels: { enforce: 'none' } });
    assert.match(answer, /^403 .*"restricted:latest"/);
    assert.deepEqual(told, ['misread', 'enforce deny restricted:latest']);
  });

  it('fails where there is no namespace', async () => {
    assert.match((await ask(podRequest(pod(HOST)), {})).answer, /^500/);
  });

  const STRICT = { labels: { enforce: 'restricted' } };
  const changed = (spec: JsonObject, old: JsonObject, subresource = ''): AdmissionRequest =>
    podRequest(pod(spec), { operation: 'UPDATE', oldObject: pod(old), subresource });
  const updates: [title: string, request: AdmissionRequest, refused: boolean][] = [
    ['changes nothing in its containers', changed({ ...HOST, x: 1 }, HOST), false],
    ['changes an image', changed({ ...HOST, containers: [{ name: 'c', image: 'j' }] }, HOST), true],
    [
      'adds a container that looks in',
      changed({ ...HOST, ephemeralContainers: [{ name: 'e', image: 'i' }] }, HOST, 'ephemeralcontainers'),
      true,
    ],
    [
      'changes resources',
      changed(
        { containers: [{ name: 'c', image: 'i', resources: {} }] },
        { containers: [{ name: 'c', image: 'i' }] },
        'resize',
      ),
      false,
    ],
    ['is only a status', changed({ ...HOST, containers: [] }, HOST, 'status'), false],
    ['is a binding', podRequest(pod(HOST), { subresource: 'binding' }), false],
    ['is an eviction', podRequest(pod(HOST), { subresource: 'eviction' }), false],
  ];
  for (const [title, request, refused] of updates) {
    it(`${refused ? 'refuses' : 'allows'} what ${title}`, async () =>
      assert.equal((await ask(request, STRICT)).answer === 'allowed', !refused));
  }

  const template = { metadata: {}, spec: HOST };
  const makers: [resource: string, group: string, fields: JsonObject][] = [
    ['podtemplates', '', { template }],
    ['replicationcontrollers', '', { spec: { template } }],
    ['replicasets', 'apps', { spec: { template } }],
    ['deployments', 'apps', { spec: { template } }],
    ['statefulsets', 'apps', { spec: { template } }],
    ['daemonsets', 'apps', { spec: { template } }],
    ['jobs', 'batch', { spec: { template } }],
    ['cronjobs', 'batch', { spec: { jobTemplate: { spec: { template } } } }],
  ];
  for (const [resource, group, fields] of makers) {
    it(`allows ${resource} with a warning`, async () => {
      const request = admissionRequest(resource, group, {
        object: object({ name: 'x', namespace: 'n' }, fields),
      });
      const { answer, warnings } = await ask(request, { labels: { enforce: 'baseline' } });
      assert.equal(answer, 'allowed');
      assert.match(warnings.join(), /^would violate PodSecurity "baseline:latest": host namespaces/);
    });
  }

  it('leaves alone what makes no pods, and what has no template', async () => {
    const without = admissionRequest('replicationcontrollers', '', {
      object: object({ name: 'x', namespace: 'n' }, { spec: {} }),
    });
    const other = admissionRequest('widgets', 'apps', {
      object: object({ name: 'x' }, { spec: { template } }),
    });
    for (const request of [without, other])
      assert.deepEqual(await ask(request, STRICT), { answer: 'allowed', warnings: [] });
  });

  const EXEMPT: PodSecurityConfiguration = {
    ...NO_CONFIGURATION,
    exemptions: {
      users: new Set(['trusted']),
      namespaces: new Set(['free']),
      runtimeClasses: new Set(['sandbox']),
    },
  };
  const exempt: [title: string, request: AdmissionRequest, isExempt: boolean][] = [
    ['a user', podRequest(pod(HOST), { user: user('trusted') }), true],
    ['a namespace', podRequest(pod(HOST), { namespace: 'free' }), true],
    ['a runtime class', podRequest(pod({ ...HOST, runtimeClassName: 'sandbox' })), true],
    ['nobody', podRequest(pod({ ...HOST, runtimeClassName: 'other' })), false],
  ];
  for (const [title, request, isExempt] of exempt) {
    it(`exempts ${title} where that is configured`, async () => {
      const { answer } = await ask(request, { ...STRICT, configuration: EXEMPT });
      assert.equal(answer === 'allowed', isExempt);
      assert.equal(told.includes('exempt'), isExempt);
    });
  }

  const namespace = (
    labels: Record<string, string>,
    old?: Record<string, string>,
    name = 'n',
  ): AdmissionRequest =>
    admissionRequest('namespaces', '', {
      object: object({ name, labels }),
      ...(old && { oldObject: object({ name, labels: old }) }),
      namespace: name,
    });

  it('refuses labels that say nothing sensible, all at once, if they are new', async () => {
    const bad = { enforce: 'none', 'warn-version': '1.2' };
    const { answer } = await ask(namespace(bad), {});
    assert.match(answer, /^422 .*metadata.labels\[enforce\].*metadata.labels\[warn-version\]/);
    assert.match((await ask(namespace(bad, {}), {})).answer, /^422/);
    assert.equal((await ask(namespace({ ...bad, x: 'y' }, bad), {})).answer, 'allowed');
    assert.match((await ask(namespace({ ...bad, audit: 'no' }, bad), {})).answer, /^422/);
  });

  const controlled = (name: string, spec: JsonObject = HOST): ApiObject =>
    pod(spec, {
      name,
      ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'x', uid: 'u', controller: true }],
    });

  it('warns of the pods that break a stricter policy, alike ones together', async () => {
    const pods = [
      controlled('b'),
      pod({ containers: [] }, { name: 'fine' }),
      controlled('a'),
      pod({ hostPID: true }, { name: 'z' }),
    ];
    const { answer, warnings } = await ask(namespace({ enforce: 'baseline' }, {}), {
      pods: [
        ...pods,
        pod({ containers: [{ name: 'c', securityContext: { privileged: true } }] }, { name: 'y' }),
      ],
    });
    assert.equal(answer, 'allowed');
    assert.deepEqual(warnings, [
      'existing pods in namespace "n" violate the new PodSecurity enforce level "baseline:latest"',
      'a (and 2 other pods): host namespaces',
      'y: privileged',
    ]);
  });

  const relabelled: [title: string, now: Record<string, string>, old: Record<string, string>][] = [
    ['the same policy', { enforce: 'baseline', x: 'y' }, { enforce: 'baseline' }],
    ['a milder one', { enforce: 'baseline' }, { enforce: 'restricted' }],
    ['none', { enforce: 'privileged', 'enforce-version': 'v1.1' }, { enforce: 'restricted' }],
    ['another that only warns', { warn: 'restricted' }, {}],
  ];
  for (const [title, now, old] of relabelled) {
    it(`looks at no pods for ${title}`, async () => {
      const onRead = (): void => assert.fail('nothing is read');
      assert.deepEqual((await ask(namespace(now, old), { pods: [pod(HOST)], onRead })).warnings, []);
    });
  }

  it('looks at so many pods, of different controllers first', async () => {
    const others = Array.from({ length: 3000 }, (_, i) => controlled(`c${i}`));
    const { warnings } = await ask(namespace({ enforce: 'baseline' }, {}), {
      pods: [...others, pod({ hostPID: true }, { name: 'alone' })],
    });
    assert.match(warnings[0] ?? '', /only checked against 3000 of 3001 existing pods/);
    assert.equal(warnings.at(-1), 'alone (and 2999 other pods): host namespaces');
  });

  it('looks at them for so long', async () => {
    const { warnings } = await ask(namespace({ enforce: 'baseline' }, {}), {
      pods: Array.from({ length: 10 }, (_, i) => pod(HOST, { name: `p${i}` })),
      onRead: () => clock.advance(300),
    });
    assert.match(warnings[0] ?? '', /only checked against 4 of 10 existing pods/);
  });

  it('warns that the policy of an exempt namespace means nothing', async () => {
    const asked = namespace({ enforce: 'baseline', audit: 'privileged' }, undefined, 'free');
    const { warnings } = await ask(asked, { configuration: EXEMPT });
    assert.deepEqual(warnings, [
      'namespace "free" is exempt from Pod Security, its policy (enforce=baseline:latest) will be ignored',
    ]);
  });
});
