import assert from 'node:assert/strict';
import { nodeAuthorizer } from '../../../../src/authz/node/authorizer.ts';
import { NodeGraph } from '../../../../src/authz/node/graph.ts';
import { podReferences } from '../../../../src/authz/node/pod-references.ts';
import { volumeSecrets } from '../../../../src/authz/node/volume-secrets.ts';
import { selectorsOf } from '../../../../src/authz/selectors.ts';
import type { ApiObject, JsonObject } from '../../../../src/meta/object.ts';
import { reviewedRequest } from '../../../../src/registry/reviews/access-spec.ts';

const MIRROR = 'example.com/mirror';

const pod = (
  spec: JsonObject,
  over: { status?: JsonObject; annotations?: Record<string, string> } = {},
): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'n', ...(over.annotations ? { annotations: over.annotations } : {}) },
  spec,
  ...(over.status ? { status: over.status } : {}),
});

const named = (object: ApiObject): string[] =>
  podReferences(object, MIRROR).map(({ type, namespace, name }) => `${type} ${namespace}/${name}`);

describe('what a pod refers to', () => {
  for (const [name, spec, expected] of [
    ['its account', { serviceAccountName: 'a' }, ['serviceAccount n/a']],
    ['secrets of registries', { imagePullSecrets: [{ name: 's' }, {}] }, ['secret n/s']],
    [
      'the environment of all kinds of containers',
      {
        initContainers: [{ env: [{ valueFrom: { secretKeyRef: { name: 'a' } } }] }],
        containers: [{ envFrom: [{ configMapRef: { name: 'b' } }, { secretRef: { name: 'c' } }] }],
        ephemeralContainers: [{ env: [{ value: 'x' }, { valueFrom: { configMapKeyRef: { name: 'd' } } }] }],
      },
      ['secret n/a', 'secret n/c', 'configMap n/b', 'configMap n/d'],
    ],
    [
      'volumes',
      {
        volumes: [
          { name: 'v', secret: { secretName: 'a' } },
          { configMap: { name: 'b' } },
          {
            projected: {
              sources: [{ secret: { name: 'c' } }, { configMap: { name: 'd' } }, { downwardAPI: {} }],
            },
          },
          { persistentVolumeClaim: { claimName: 'e' } },
          { name: 'f', ephemeral: { volumeClaimTemplate: {} } },
          { emptyDir: {} },
        ],
      },
      ['secret n/a', 'configMap n/b', 'secret n/c', 'configMap n/d', 'claim n/e', 'claim n/p-f'],
    ],
    [
      'secrets of every other source of volumes',
      {
        volumes: [
          { azureFile: { secretName: 'azure' } },
          ...['cephfs', 'cinder', 'flexVolume', 'iscsi', 'rbd', 'scaleIO', 'storageos'].map((source) => ({
            [source]: { secretRef: { name: source.toLowerCase() } },
          })),
          { csi: { nodePublishSecretRef: { name: 'csi' } } },
        ],
      },
      ['azure', 'cephfs', 'cinder', 'flexvolume', 'iscsi', 'rbd', 'scaleio', 'storageos', 'csi'].map(
        (s) => `secret n/${s}`,
      ),
    ],
    [
      'each once',
      { imagePullSecrets: [{ name: 's' }], volumes: [{ secret: { secretName: 's' } }] },
      ['secret n/s'],
    ],
    [
      'claims of resources',
      { resourceClaims: [{ name: 'x', resourceClaimName: 'c' }] },
      ['resourceClaim n/c'],
    ],
    [
      'no claims that are still to be made',
      { resourceClaims: [{ name: 'x', resourceClaimTemplateName: 't' }] },
      [],
    ],
  ] as const) {
    it(name, () => assert.deepEqual(named(pod(spec as unknown as JsonObject)).sort(), [...expected].sort()));
  }

  it('claims that were made for it', () => {
    const made = { resourceClaimStatuses: [{ name: 'x', resourceClaimName: 'made' }] };
    const spec = { resourceClaims: [{ name: 'x', resourceClaimTemplateName: 't' }] };
    assert.deepEqual(named(pod(spec, { status: made })), ['resourceClaim n/made']);
  });

  it('nothing, where the node has made it', () => {
    assert.deepEqual(named(pod({ serviceAccountName: 'a' }, { annotations: { [MIRROR]: '' } })), []);
  });
});

describe('the secrets of a persistent volume', () => {
  for (const [name, spec, expected] of [
    ['in the namespace that it names', { rbd: { secretRef: { name: 's', namespace: 'm' } } }, ['m/s']],
    ['else in the claim’s', { cephfs: { secretRef: { name: 's' } } }, ['n/s']],
    ['of Azure', { azureFile: { secretName: 's' } }, ['n/s']],
    ['of Azure, elsewhere', { azureFile: { secretName: 's', secretNamespace: 'm' } }, ['m/s']],
    ['never in the claim’s for new sources', { cinder: { secretRef: { name: 's' } } }, ['/s']],
    [
      'of CSI: the node’s, not the control plane’s',
      {
        csi: {
          nodePublishSecretRef: { name: 'a', namespace: 'm' },
          nodeStageSecretRef: { name: 'b', namespace: 'm' },
          nodeExpandSecretRef: { name: 'c', namespace: 'm' },
          controllerPublishSecretRef: { name: 'd', namespace: 'm' },
          controllerExpandSecretRef: { name: 'e', namespace: 'm' },
        },
      },
      ['m/a', 'm/b', 'm/c'],
    ],
  ] as const) {
    it(name, () =>
      assert.deepEqual(
        volumeSecrets({ spec: spec }, 'n').map((one) => `${one.namespace}/${one.name}`),
        expected,
      ),
    );
  }
});

describe('the graph of nodes', () => {
  const secret = { type: 'secret', namespace: 'n', name: 's' } as const;
  const claim = { type: 'claim', namespace: 'n', name: 'c' } as const;
  const on = (
    graph: NodeGraph,
    name: string,
    node: string,
    ...references: Parameters<NodeGraph['reaches']>[1][]
  ) => graph.setPod('n', name, { uid: name, node, references });

  it('leads from what pods refer to, for as long as one of them is on the node', () => {
    const graph = new NodeGraph();
    on(graph, 'p', 'a', secret);
    on(graph, 'q', 'a', secret);
    assert.ok(graph.reaches('a', secret));
    assert.ok(!graph.reaches('b', secret));
    graph.removePod('n', 'p');
    assert.ok(graph.reaches('a', secret));
    graph.removePod('n', 'q');
    assert.ok(!graph.reaches('a', secret));
  });

  it('forgets what a pod of the same name referred to', () => {
    const graph = new NodeGraph();
    on(graph, 'p', 'a', secret);
    on(graph, 'p', 'b', claim);
    assert.deepEqual(
      [graph.reaches('a', secret), graph.reaches('b', secret), graph.reaches('b', claim)],
      [false, false, true],
    );
    assert.ok(graph.hasPod('n', 'p', { uid: 'p', node: 'b' }));
    assert.ok(!graph.hasPod('n', 'p', { uid: 'other', node: 'b' }));
  });

  it('leads from volumes and their secrets through claims, in any order', () => {
    const graph = new NodeGraph();
    const volume = { type: 'volume', namespace: '', name: 'v' } as const;
    graph.setVolume('v', claim, [secret]);
    assert.ok(!graph.reaches('a', volume));
    on(graph, 'p', 'a', claim);
    assert.ok(graph.reaches('a', volume) && graph.reaches('a', secret));
    graph.setVolume('v', { ...claim, name: 'other' }, [secret]);
    assert.ok(!graph.reaches('a', volume) && !graph.reaches('a', secret));
    graph.setVolume('v', claim, []);
    assert.ok(graph.reaches('a', volume) && !graph.reaches('a', secret));
    graph.removeVolume('v');
    assert.ok(!graph.reaches('a', volume));
  });

  it('leads from what belongs to a node itself', () => {
    const graph = new NodeGraph();
    const attachment = { type: 'attachment', namespace: '', name: 'x' } as const;
    graph.setNode('attachment', 'x', 'a');
    assert.ok(graph.reaches('a', attachment) && !graph.reaches('b', attachment));
    graph.setNode('attachment', 'x', '');
    assert.ok(!graph.reaches('a', attachment));
  });
});

describe('the authorizer of nodes', () => {
  const graph = new NodeGraph();
  const object = pod({
    serviceAccountName: 'a',
    volumes: [
      { secret: { secretName: 's' } },
      { configMap: { name: 'c' } },
      { persistentVolumeClaim: { claimName: 'claim' } },
    ],
    resourceClaims: [{ name: 'r', resourceClaimName: 'rc' }],
  });
  graph.setPod('n', 'p', { uid: 'u', node: 'one', references: podReferences(object, MIRROR) });
  graph.setVolume('v', { type: 'claim', namespace: 'n', name: 'claim' }, [
    { type: 'secret', namespace: 'm', name: 'deep' },
  ]);
  graph.setNode('attachment', 'va', 'one');
  graph.setNode('slice', 'sl', 'one');
  const names = {
    storage: 'storage.x',
    resource: 'resource.x',
    coordination: 'coordination.x',
    leaseNamespace: 'leases',
  };
  const rules = [
    { verbs: ['create', 'get'], apiGroups: [''], resources: ['nodes', 'pods', 'services'] },
    { verbs: ['list'], apiGroups: [''], resources: ['nodes', 'pods'] },
  ];
  const known = (): undefined => undefined;
  const strict = nodeAuthorizer({ graph, known, rules, names, selectorsOf });
  const lax = nodeAuthorizer({ graph, known, rules, names });

  const node = (name: string) => ({
    name: `system:node:${name}`,
    uid: '',
    groups: ['system:nodes'],
    extra: {},
  });
  const ask = (text: string) => {
    const [verb = '', what = '', place = ''] = text.split(' ');
    const [path = '', group = ''] = what
      .split('.', 1)
      .concat(what.includes('.') ? what.slice(what.indexOf('.') + 1) : '');
    const [resource = '', subresource = ''] = path.split('/');
    const [namespace = '', name = ''] = place.includes('/') ? place.split('/') : ['', place];
    return reviewedRequest({ resourceAttributes: { verb, resource, subresource, group, namespace, name } });
  };

  for (const [text, allowed] of [
    ['get secrets n/s', true],
    ['list secrets n/s', true],
    ['watch secrets n/s', true],
    ['get secrets m/deep', true],
    ['update secrets n/s', false],
    ['get secrets n/other', false],
    ['get secrets m/s', false],
    ['list secrets n/', false],
    ['list secrets', false],
    ['get secrets/x n/s', false],
    ['get configmaps n/c', true],
    ['get configmaps n/other', false],
    ['get persistentvolumeclaims n/claim', true],
    ['list persistentvolumeclaims n/claim', false],
    ['patch persistentvolumeclaims/status n/claim', true],
    ['patch persistentvolumeclaims/status n/other', false],
    ['get persistentvolumeclaims/status n/claim', false],
    ['patch persistentvolumeclaims n/claim', false],
    ['get persistentvolumes v', true],
    ['get persistentvolumes w', false],
    ['list persistentvolumes', false],
    ['get resourceclaims.resource.x n/rc', true],
    ['get resourceclaims.resource.x n/other', false],
    ['get volumeattachments.storage.x va', true],
    ['get volumeattachments.storage.x vb', false],
    ['create serviceaccounts/token n/a', true],
    ['create serviceaccounts/token n/b', false],
    ['create serviceaccounts n/a', false],
    ['get serviceaccounts n/a', false],
    ['get leases.coordination.x leases/one', true],
    ['create leases.coordination.x leases/', true],
    ['get leases.coordination.x leases/two', false],
    ['get leases.coordination.x other/one', false],
    ['list leases.coordination.x leases/', false],
    ['update csinodes.storage.x one', true],
    ['update csinodes.storage.x two', false],
    ['create csinodes.storage.x', true],
    ['list csinodes.storage.x', false],
    ['update csinodes/status.storage.x one', false],
    ['create resourceslices.resource.x', true],
    ['update resourceslices.resource.x sl', true],
    ['update resourceslices.resource.x other', false],
    ['list resourceslices.resource.x', false],
    ['get nodes one', true],
    ['get nodes two', false],
    ['list nodes', false],
    ['list nodes one', true],
    ['create nodes', true],
    ['patch nodes two', true],
    ['delete nodes one', false],
    ['patch nodes/status one', true],
    ['get nodes/proxy one', false],
    ['get pods n/p', true],
    ['get pods n/q', false],
    ['list pods', false],
    ['list pods n/p', true],
    ['create pods n/', true],
    ['delete pods n/q', true],
    ['update pods n/p', false],
    ['patch pods/status n/p', true],
    ['create pods/eviction n/p', true],
    ['create pods/exec n/p', false],
    ['get services n/s', true],
    ['list services n/', false],
    ['delete services n/s', false],
  ] as const) {
    it(`${allowed ? 'allows' : "doesn't allow"} ${text}`, async () => {
      const { verdict } = await strict.authorize({ user: node('one'), info: ask(text) });
      assert.equal(verdict, allowed ? 'allow' : 'noOpinion');
    });
  }

  for (const [text, value, allowed] of [
    ['list pods', 'one', true],
    ['watch pods', 'one', true],
    ['list pods', 'two', false],
    ['list resourceslices.resource.x', 'one', true],
    ['deletecollection resourceslices.resource.x', 'one', true],
    ['deletecollection resourceslices.resource.x', 'two', false],
    ['deletecollection pods', 'one', false],
  ] as const) {
    it(`${allowed ? 'allows' : "doesn't allow"} ${text} with the selector spec.nodeName=${value}`, async () => {
      const info = { ...ask(text), fieldSelector: `spec.nodeName=${value}` };
      const { verdict } = await strict.authorize({ user: node('one'), info });
      assert.equal(verdict, allowed ? 'allow' : 'noOpinion');
    });
  }

  it('takes no demand for its contrary', async () => {
    const info = { ...ask('list pods'), fieldSelector: 'spec.nodeName!=one' };
    assert.equal((await strict.authorize({ user: node('one'), info })).verdict, 'noOpinion');
  });

  it('lets nodes read all nodes and pods where selectors are not looked at', async () => {
    for (const text of ['list pods', 'list nodes', 'get nodes two', 'list resourceslices.resource.x']) {
      assert.equal((await lax.authorize({ user: node('one'), info: ask(text) })).verdict, 'allow', text);
    }
  });

  it('has no opinion on who is no node', async () => {
    for (const [name, groups] of [
      ['system:node:one', []],
      ['one', ['system:nodes']],
    ] as const) {
      const user = { name, uid: '', groups, extra: {} };
      const decision = await strict.authorize({ user, info: ask('get nodes one') });
      assert.deepEqual(decision, { verdict: 'noOpinion', reason: '' });
      assert.equal(strict.rulesFor(user, 'n').incomplete, false);
    }
    const nameless = await strict.authorize({ user: node(''), info: ask('create nodes') });
    assert.equal(nameless.reason, 'unknown node for user "system:node:"');
    assert.equal(strict.rulesFor(node('one'), 'n').incomplete, true);
  });
});
