import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ListedNames } from '../../../src/names/load.ts';
import type { ProfileName } from '../../../src/names/profile.ts';
import { nameTranslator, type NameList } from '../../../src/names/translate.ts';

const root = join(import.meta.dirname, '..', '..', '..');

function readList(profile: ProfileName): NameList {
  return parse(readFileSync(join(root, 'schemas', 'names', `${profile}.yaml`), 'utf8')) as NameList;
}

describe('naming profiles', () => {
  const orch = readList('orch');
  const kubernetes = readList('kubernetes');
  const toOrch = nameTranslator(kubernetes, orch);
  const toKubernetes = nameTranslator(orch, kubernetes);

  it('list the same identifiers in the same order', () => {
    assert.deepEqual(Object.keys(orch), Object.keys(kubernetes));
  });

  it('name nothing twice, save what is known to', () => {
    const twice = (list: NameList): string[] =>
      Object.entries(list).flatMap(([id, name]) => {
        const first = Object.keys(list).find((other) => list[other] === name);
        return first === id ? [] : [`${first} = ${id}`];
      });
    const both = ['service.apiserver = serviceCIDR.default', 'claim.service-account = domain.labels'];
    assert.deepEqual(twice(kubernetes), [both[0], 'service.apiserver = finalizer.namespace', both[1]]);
    assert.deepEqual(twice(orch), [
      both[0],
      'claim.service-account = domain.groups',
      both[1],
      'group.node = domain.node-labels',
    ]);
  });

  it('leave no name of the other domain in the default profile', () => {
    const foreign = Object.entries(orch).filter(([, name]) => /k8s|kube-|kubernetes/.test(name));
    assert.deepEqual(
      foreign.map(([id]) => id).sort(),
      [
        'finalizer.namespace',
        'signer.kube-apiserver-client',
        'signer.kube-apiserver-client-kubelet',
        'signer.kube-apiserver-serving',
        'label.apiservice-automanaged',
      ].sort(),
    );
  });

  it('throw for an identifier that nobody lists', () => {
    const names = new ListedNames('orch', orch);
    assert.equal(names.get('group.rbac'), 'rbac.authorization.orch.io');
    assert.throws(() => names.get('group.nothing'), /the orch naming profile lists no group.nothing/);
    assert.throws(() => names.get('__proto__'), /lists no/);
  });

  describe('every name in the facts goes to orch and back', () => {
    const facts = JSON.parse(
      readFileSync(join(root, 'test', 'fixtures', 'facts', 'names.json'), 'utf8'),
    ) as string[];
    // These two share their orch name with an API group and with the domain of groups.
    const oneWay = new Set(['node.kubernetes.io', 'k8s.io']);

    for (const name of facts) {
      it(name, () => {
        const translated = toOrch.name(name);
        assert.notEqual(translated, name);
        assert.doesNotMatch(translated, /k8s\.io|kubernetes\.io/);
        if (!oneWay.has(name)) assert.equal(toKubernetes.name(translated), name);
      });
    }
  });

  describe('translate names inside a text', () => {
    for (const [kubernetesText, orchText] of [
      ['rbac.authorization.k8s.io/v1', 'rbac.authorization.orch.io/v1'],
      ['rbac.authorization.kubernetes.io/autoupdate', 'rbac.authorization.orch.io/autoupdate'],
      ['v1beta1.networking.k8s.io', 'v1beta1.networking.orch.io'],
      [
        'gold.storageclass.storage.k8s.io/requests.storage',
        'gold.storageclass.storage.orch.io/requests.storage',
      ],
      [
        'system:certificates.k8s.io:legacy-unknown-approver',
        'system:certificates.orch.io:legacy-unknown-approver',
      ],
      ['system:serviceaccount:kube-system:default', 'system:serviceaccount:orch-system:default'],
      [
        '/var/run/secrets/kubernetes.io/serviceaccount/token',
        '/var/run/secrets/orch.io/serviceaccount/token',
      ],
      ['application/vnd.kubernetes.protobuf;stream=watch', 'application/vnd.orch.protobuf;stream=watch'],
      ['application/json;as=Table;g=meta.k8s.io;v=v1', 'application/json;as=Table;g=meta.orch.io;v=v1'],
      ['kubernetes.io/something-nobody-lists', 'orch.io/something-nobody-lists'],
      ['node-role.kubernetes.io/edge', 'node-role.orch.io/edge'],
      [
        'mutation.webhook.admission.k8s.io/round_0_index_1',
        'mutation.webhook.admission.orch.io/round_0_index_1',
      ],
    ] as const) {
      it(kubernetesText, () => {
        assert.equal(toOrch.text(kubernetesText), orchText);
        assert.equal(toKubernetes.text(orchText), kubernetesText);
      });
    }
  });

  describe('leave alone', () => {
    for (const text of [
      'io.k8s.api.core.v1.Pod',
      'system:kube-scheduler',
      'kubernetes',
      'kube-systems',
      'xevents.k8s.io',
      'events.k8s.io.example.com',
      'widgets.example.k8s.io',
      'x-kubernetes-list-typed',
    ]) {
      it(text, () => assert.equal(toOrch.text(text), text));
    }
  });

  it('translate documents with their keys, and leave the original alone', () => {
    const document = {
      metadata: { labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' }, finalizers: ['kubernetes'] },
      rules: [{ apiGroups: ['', 'apps', 'events.k8s.io'], verbs: ['*'] }],
      n: 1n,
    };
    const copy = toOrch.json(document);
    assert.equal(
      JSON.stringify(copy, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)),
      '{"metadata":{"labels":{"orch.io/bootstrapping":"rbac-defaults"},"finalizers":["kubernetes"]},' +
        '"rules":[{"apiGroups":["","apps","events.orch.io"],"verbs":["*"]}],"n":1}',
    );
    assert.deepEqual(Object.keys(document.metadata.labels), ['kubernetes.io/bootstrapping']);
  });

  it('are refused when one lists what the other does not', () => {
    assert.throws(() => nameTranslator({ 'group.a': 'a.b' }, {}), /one naming profile lists group.a/);
    assert.throws(() => nameTranslator({}, { 'group.a': 'a.b' }), /one naming profile lists group.a/);
  });
});
