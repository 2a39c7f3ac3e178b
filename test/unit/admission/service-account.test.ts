import assert from 'node:assert/strict';
import { serviceAccount } from '../../../src/admission/service-account/plugin.ts';
import { podReferences } from '../../../src/authz/node/pod-references.ts';
import { ApiError } from '../../../src/errors/api-error.ts';
import type { ApiObject, JsonObject } from '../../../src/meta/object.ts';
import { openSchemas } from '../../support/schemas.ts';
import { admit, pod, podRequest } from './pod-requests.ts';

const { names } = openSchemas('kubernetes', 'all');
const PATH = '/var/run/secrets/kubernetes.io/serviceaccount';
const MOUNT = { name: 'kube-api-access-bbbbb', readOnly: true, mountPath: PATH };
const ENFORCED = { 'kubernetes.io/enforce-mountable-secrets': 'true' };

function account(name: string, fields: JsonObject = {}, annotations: Record<string, string> = {}): ApiObject {
  return { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, annotations }, ...fields };
}

const ACCOUNTS = [
  account('default'),
  account('puller', { imagePullSecrets: [{ name: 'registry' }] }),
  account('silent', { automountServiceAccountToken: false }),
  account('strict', { secrets: [{ name: 'own' }], imagePullSecrets: [{ name: 'registry' }] }, ENFORCED),
  account('lax', {}, { ...ENFORCED, 'kubernetes.io/enforce-mountable-secrets': 'maybe' }),
];

let looks: string[];

function plugin(accounts: readonly ApiObject[] = ACCOUNTS) {
  looks = [];
  return serviceAccount({
    getAccount({ namespace, name }, freshness) {
      looks.push(`${namespace}/${name} ${freshness}`);
      return Promise.resolve(accounts.find(({ metadata }) => metadata.name === name));
    },
    usesSecrets: (object) => podReferences(object, '').some(({ type }) => type === 'secret'),
    names,
    random: () => 0,
  });
}

async function accepted(spec: JsonObject): Promise<JsonObject> {
  const result = await admit(plugin(), podRequest(pod(spec)));
  if (result instanceof ApiError) throw result;
  return result;
}

describe('ServiceAccount admission', () => {
  it('gives a pod the default account, and its containers a volume with a token', async () => {
    const spec = await accepted({ initContainers: [{ name: 'i' }], containers: [{ name: 'c' }] });
    assert.deepEqual(spec, {
      initContainers: [{ name: 'i', volumeMounts: [MOUNT] }],
      containers: [{ name: 'c', volumeMounts: [MOUNT] }],
      serviceAccountName: 'default',
      serviceAccount: 'default',
      volumes: [
        {
          name: 'kube-api-access-bbbbb',
          projected: {
            sources: [
              { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
              { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
              {
                downwardAPI: {
                  items: [
                    { path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } },
                  ],
                },
              },
            ],
            defaultMode: 420,
          },
        },
      ],
    });
  });

  it('mounts the token only where nothing else is mounted', async () => {
    const own = { name: 'own', mountPath: PATH };
    const spec = await accepted({
      containers: [{ name: 'a', volumeMounts: [own] }, { name: 'b' }],
      volumes: [{ name: 'own', emptyDir: {} }],
    });
    assert.deepEqual(spec['containers'], [
      { name: 'a', volumeMounts: [own] },
      { name: 'b', volumeMounts: [MOUNT] },
    ]);
    const all = {
      containers: [{ name: 'a', volumeMounts: [own] }],
      volumes: [{ name: 'own', emptyDir: {} }],
    };
    assert.deepEqual((await accepted(all))['volumes'], [{ name: 'own', emptyDir: {} }]);
  });

  it('uses a volume of its own that is there already', async () => {
    const volumes = [{ name: 'kube-api-access-mine', emptyDir: {} }];
    const spec = await accepted({ containers: [{ name: 'c' }], volumes });
    assert.deepEqual(spec['volumes'], volumes);
    assert.deepEqual(spec['containers'], [
      { name: 'c', volumeMounts: [{ ...MOUNT, name: 'kube-api-access-mine' }] },
    ]);
  });

  for (const [title, spec, mounts] of [
    ['the account says no', { serviceAccountName: 'silent' }, false],
    ['the pod says yes', { serviceAccountName: 'silent', automountServiceAccountToken: true }, true],
    ['the pod says no', { automountServiceAccountToken: false }, false],
  ] as const) {
    it(`${mounts ? 'mounts a' : 'leaves out the'} token where ${title}`, async () => {
      const { volumes } = await accepted({ ...spec, containers: [{ name: 'c' }] });
      assert.equal(volumes !== undefined, mounts);
    });
  }

  it("adds the account's secrets for pulling images to pods that have none", async () => {
    const puller = { serviceAccountName: 'puller', containers: [] };
    assert.deepEqual((await accepted({ ...puller }))['imagePullSecrets'], [{ name: 'registry' }]);
    const mine = [{ name: 'mine' }];
    assert.deepEqual((await accepted({ ...puller, imagePullSecrets: mine }))['imagePullSecrets'], mine);
    assert.equal('imagePullSecrets' in (await accepted({ containers: [] })), false);
  });

  it('looks live before it refuses, and waits only for the default account', async () => {
    const missing = await admit(plugin([]), podRequest(pod({ serviceAccountName: 'absent' })));
    assert.ok(missing instanceof ApiError);
    assert.equal(missing.code, 403);
    assert.match(missing.message, /no service account absent in the namespace n/);
    assert.deepEqual(missing.details, { name: 'p', kind: 'pods' });
    assert.deepEqual(looks, ['n/absent cached', 'n/absent live']);
    const late = await admit(plugin([]), podRequest(pod()));
    assert.ok(late instanceof ApiError);
    assert.match(
      late.message,
      /no service account default in the namespace n, which serviceaccount-controller makes/,
    );
    assert.deepEqual(looks, ['n/default cached', 'n/default awaited']);
  });

  describe('of a mirror pod', () => {
    const mirror = { name: 'p', annotations: { 'kubernetes.io/config.mirror': 'x' } };
    const cases: [title: string, spec: JsonObject, refused: boolean][] = [
      ['without anything', { containers: [{ name: 'c' }] }, false],
      ['with an account', { serviceAccountName: 'default' }, true],
      ['with a volume of a secret', { volumes: [{ name: 'v', secret: { secretName: 's' } }] }, true],
      [
        'with a disk that needs a secret',
        { volumes: [{ name: 'v', rbd: { secretRef: { name: 's' } } }] },
        true,
      ],
      [
        'with a projected secret',
        { volumes: [{ name: 'v', projected: { sources: [{ secret: { name: 's' } }] } }] },
        true,
      ],
      [
        'with a projected token',
        { volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } }] },
        true,
      ],
      [
        'with a variable from a secret',
        { containers: [{ env: [{ name: 'E', valueFrom: { secretKeyRef: { name: 's' } } }] }] },
        true,
      ],
      ['with variables from a secret', { containers: [{ envFrom: [{ secretRef: { name: 's' } }] }] }, true],
      ['with secrets for its images', { imagePullSecrets: [{ name: 's' }] }, true],
    ];
    for (const [title, spec, refused] of cases) {
      it(`${refused ? 'refuses' : 'leaves alone'} one ${title}`, async () => {
        const before = structuredClone(spec);
        const result = await admit(plugin(), podRequest(pod(spec, mirror)));
        if (refused) assert.equal((result as ApiError).code, 403);
        else assert.deepEqual(result, before);
      });
    }
  });

  describe('of a pod whose account lists its secrets', () => {
    const cases: [title: string, spec: JsonObject, why: RegExp | undefined][] = [
      ['a listed volume', { volumes: [{ name: 'v', secret: { secretName: 'own' } }] }, undefined],
      ['another volume', { volumes: [{ name: 'v', secret: { secretName: 'alien' } }] }, /volume v .*"alien"/],
      [
        'a listed variable',
        { containers: [{ name: 'c', env: [{ name: 'E', valueFrom: { secretKeyRef: { name: 'own' } } }] }] },
        undefined,
      ],
      [
        'another variable',
        { containers: [{ name: 'c', env: [{ name: 'E', valueFrom: { secretKeyRef: { name: 'alien' } } }] }] },
        /container c takes the variable E from the secret "alien"/,
      ],
      [
        'other variables at the start',
        { initContainers: [{ name: 'i', envFrom: [{ secretRef: { name: 'alien' } }] }], containers: [] },
        /init container i takes variables/,
      ],
      ['listed secrets for images', { imagePullSecrets: [{ name: 'registry' }] }, undefined],
      [
        'other secrets for images',
        { imagePullSecrets: [{ name: 'alien' }] },
        /pulled with the secret "alien"/,
      ],
    ];
    for (const [title, spec, why] of cases) {
      it(`${why === undefined ? 'allows' : 'refuses'} ${title}`, async () => {
        const result = await admit(plugin(), podRequest(pod({ serviceAccountName: 'strict', ...spec })));
        if (why === undefined) assert.ok(!(result instanceof ApiError));
        else assert.match((result as ApiError).message, why);
      });
    }

    it('looks at containers that are added to a pod, too', async () => {
      const spec = {
        serviceAccountName: 'strict',
        ephemeralContainers: [{ name: 'e', envFrom: [{ secretRef: { name: 'alien' } }] }],
        volumes: [{ name: 'v', secret: { secretName: 'from before' } }],
      };
      const update = { operation: 'UPDATE', subresource: 'ephemeralcontainers' } as const;
      const result = await admit(plugin(), podRequest(pod(spec), update));
      assert.match((result as ApiError).message, /ephemeral container e takes variables/);
      const other = await admit(plugin(), podRequest(pod(spec), { operation: 'UPDATE' }));
      assert.deepEqual(other, spec);
    });

    it('takes an annotation that is neither yes nor no for no', async () => {
      const spec = { serviceAccountName: 'lax', volumes: [{ name: 'v', secret: { secretName: 'alien' } }] };
      assert.ok(!((await admit(plugin(), podRequest(pod(spec)))) instanceof ApiError));
    });
  });

  it('has nothing to do with other subresources and other kinds', async () => {
    const spec = { containers: [{ name: 'c' }] };
    const result = await admit(plugin(), podRequest(pod(spec), { subresource: 'binding' }));
    assert.deepEqual(result, { containers: [{ name: 'c' }] });
    assert.deepEqual(looks, []);
  });
});
