import assert from 'node:assert/strict';
import { ApiError } from '../../../src/errors/api-error.ts';
import type { ApiObject, ManagedFieldsEntry } from '../../../src/meta/object.ts';
import { Cluster, NOW, type ClusterOptions, type TestAnswer } from './cluster.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const APPLY = 'application/apply-patch+yaml';
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

const configMap = (content: object = {}, metadata: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', ...metadata },
  ...content,
});
const TEMPLATE = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const deployment = (spec: object = {}, status: object = {}): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'd' },
  spec: { selector: { matchLabels: { a: 'b' } }, template: TEMPLATE, ...spec },
  ...status,
});

/** Managers and their sets, in the record's order. */
const owners = ({ metadata }: ApiObject): [string, unknown][] =>
  (metadata.managedFields ?? []).map(({ manager = '', operation, subresource, fieldsV1 }) => [
    [manager, operation, ...(subresource === undefined ? [] : [subresource])].join(' '),
    fieldsV1,
  ]);
const causes = ({ object }: TestAnswer): string[] =>
  (object['details'] as { causes: { reason: string; message: string; field: string }[] }).causes
    .map(({ reason, message, field }) => `${reason}: ${message}: ${field}`)
    .sort();

describe('server-side apply', () => {
  let cluster: Cluster;
  const open = async (options: ClusterOptions = {}): Promise<void> => {
    cluster = await Cluster.open(options);
  };
  beforeEach(() => open());
  afterEach(() => cluster.close());

  const apply = (status: number, by: string, body: unknown, path = `${CONFIG_MAPS}/a`): Promise<TestAnswer> =>
    cluster.expect(status, `PATCH ${path}?fieldManager=${by}`, { body, contentType: APPLY });
  const data = (by: string, values: object, status = 200): Promise<TestAnswer> =>
    apply(status, by, configMap({ data: values }));

  it('creates what is not there, and changes what is', async () => {
    const made = await data('m1', { k: '1' }, 201);
    assert.deepEqual(owners(made.object), [['m1 Apply', { 'f:data': { 'f:k': {} } }]]);
    const changed = await data('m1', { k: '2' });
    assert.deepEqual({ ...(changed.object['data'] as object) }, { k: '2' });
  });

  it('writes nothing when nothing changes, and keeps the time', async () => {
    const made = await data('m1', { k: '1' }, 201);
    cluster.clock.advance(5000);
    const again = await data('m1', { k: '1' });
    assert.deepEqual(again.object, made.object);
  });

  it('stamps its manager when something changes', async () => {
    await data('m1', { k: '1' }, 201);
    cluster.clock.advance(5000);
    const { object } = await data('m1', { k: '2' });
    const time = new Date(NOW + 5000).toISOString().replace('.000', '');
    assert.deepEqual(
      object.metadata.managedFields?.map((entry) => entry.time),
      [time],
    );
  });

  it('refuses to change what others own, with a cause for each field and manager', async () => {
    await data('m1', { k: '1', j: '1' }, 201);
    await data('m2', { k: '1' });
    await cluster.expect(200, `PATCH ${CONFIG_MAPS}/a?fieldManager=u`, {
      body: { data: { l: '1' } },
      contentType: 'application/merge-patch+json',
    });
    const refused = await data('m3', { k: '2', j: '2', l: '2' }, 409);
    assert.deepEqual(causes(refused), [
      'FieldManagerConflict: conflict with "m1": .data.j',
      'FieldManagerConflict: conflict with "m1": .data.k',
      'FieldManagerConflict: conflict with "m2": .data.k',
      'FieldManagerConflict: conflict with "u" using v1: .data.l',
    ]);
    const { object } = await data('m3&force=true', { k: '2', j: '2', l: '2' });
    assert.deepEqual(owners(object), [['m3 Apply', { 'f:data': { 'f:j': {}, 'f:k': {}, 'f:l': {} } }]]);
  });

  it('shares fields of the same value, and gives up what is not applied any more', async () => {
    await data('m1', { k: '1', j: '1' }, 201);
    await data('m2', { k: '1' });
    const less = await apply(200, 'm1', configMap());
    assert.deepEqual({ ...(less.object['data'] as object) }, { k: '1' });
    const none = await apply(200, 'm2', configMap());
    assert.equal(none.object['data'], undefined);
    assert.deepEqual(owners(none.object), []);
  });

  it('resets what is given up to its default', async () => {
    await apply(201, 'm1', deployment({ replicas: 3 }), `${DEPLOYMENTS}/d`);
    const { object } = await apply(200, 'm1', deployment(), `${DEPLOYMENTS}/d`);
    assert.equal((object['spec'] as { replicas: number }).replicas, 1);
  });

  it('leaves the status to its subresource', async () => {
    const path = `${DEPLOYMENTS}/d`;
    await apply(201, 'm1', deployment({}, { status: { replicas: 5 } }), path);
    const status = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'd' },
      status: { replicas: 3 },
    };
    const { object } = await apply(200, 's', status, `${path}/status`);
    assert.deepEqual(object['status'], { replicas: 3 });
    const [, second] = owners(object);
    assert.deepEqual(second, ['s Apply status', { 'f:status': { 'f:replicas': {} } }]);
    await apply(404, 's', { ...status, metadata: { name: 'x' } }, `${DEPLOYMENTS}/x/status`);
  });

  it('scales, and owns the replicas of the workload by that', async () => {
    const path = `${DEPLOYMENTS}/d`;
    const scale = {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'd' },
      spec: { replicas: 2 },
    };
    await apply(201, 'm1', deployment({ replicas: 1 }), path);
    const refused = await apply(409, 's', scale, `${path}/scale`);
    assert.deepEqual(causes(refused), ['FieldManagerConflict: conflict with "m1": .spec.replicas']);
    await apply(200, 's&force=true', scale, `${path}/scale`);
    const { object } = await cluster.expect(200, `GET ${path}`);
    assert.equal(object.metadata.generation, 2);
    const replicas = { 'f:spec': { 'f:replicas': {} } };
    assert.deepEqual(owners(object)[0], ['s Apply scale', replicas]);
    assert.equal(object.metadata.managedFields?.[0]?.time, undefined);
    const { object: taken } = await cluster.expect(200, `PUT ${path}/scale?fieldManager=u`, {
      body: { ...scale, spec: { replicas: 4 } },
    });
    assert.equal((taken['spec'] as { replicas: number }).replicas, 4);
    const after = await cluster.expect(200, `GET ${path}`);
    const [first, second] = owners(after.object);
    assert.deepEqual([first?.[0], second], ['m1 Apply', ['u Update scale', replicas]]);
  });

  it('knows owners that speak other versions', async () => {
    const v1 = '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers/h';
    const v2 = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers/h';
    const spec = { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd' } };
    const scaler = (version: string, content: object): object => ({
      apiVersion: `autoscaling/${version}`,
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'h' },
      spec: content,
    });
    await apply(201, 'm1', scaler('v1', { ...spec, targetCPUUtilizationPercentage: 50 }), v1);
    const metrics = [
      {
        type: 'Resource',
        resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } },
      },
    ];
    const refused = await apply(409, 'm2', scaler('v2', { ...spec, metrics }), v2);
    assert.deepEqual(causes(refused), [
      'FieldManagerConflict: conflict with "m1": .spec.targetCPUUtilizationPercentage',
    ]);
    const { object } = await apply(200, 'm2&force=true', scaler('v2', { ...spec, metrics }), v2);
    assert.deepEqual(
      object.metadata.managedFields?.map(({ manager, apiVersion }) => `${manager} ${apiVersion}`),
      ['m1 autoscaling/v1', 'm2 autoscaling/v2'],
    );
    const { object: less } = await apply(200, 'm1', scaler('v2', { maxReplicas: 3 }), v2);
    assert.equal((less['spec'] as { metrics: unknown[] }).metrics.length, 1, 'owned by the other');
  });

  it('forgets owners that spoke versions which are gone', async () => {
    const entry = { operation: 'Update', fieldsType: 'FieldsV1', fieldsV1: { 'f:data': { 'f:k': {} } } };
    const record = [
      { ...entry, manager: 'old', apiVersion: 'v0' },
      { ...entry, manager: 'new', apiVersion: 'v1' },
    ];
    await cluster.expect(201, `POST ${CONFIG_MAPS}`, { body: configMap({ data: { k: '1' } }) });
    await cluster.expect(200, `PATCH ${CONFIG_MAPS}/a`, {
      body: { metadata: { managedFields: record } },
      contentType: 'application/merge-patch+json',
    });
    const { object } = await data('m1', { j: '1' });
    assert.deepEqual(
      owners(object).map(([who]) => who),
      ['m1 Apply', 'new Update'],
    );
  });

  it('gives what was there before to a manager of its own', async () => {
    await data('m1', { k: '1' }, 201);
    await cluster.expect(200, `PATCH ${CONFIG_MAPS}/a`, {
      body: { metadata: { managedFields: [{}] } },
      contentType: 'application/merge-patch+json',
    });
    const refused = await data('m2', { k: '2' }, 409);
    assert.deepEqual(causes(refused), [
      'FieldManagerConflict: conflict with "before-first-apply" using v1: .data.k',
    ]);
  });

  it('takes over from kubectl what kubectl has applied by itself', async () => {
    const annotations = { [LAST_APPLIED]: JSON.stringify(configMap({ data: { k: '1' } })) };
    await cluster.expect(201, `POST ${CONFIG_MAPS}?fieldManager=kubectl-client-side-apply`, {
      body: configMap({ data: { k: '1', j: '1' } }, { annotations }),
    });
    const refused = await data('kubectl', { k: '2', j: '2' }, 409);
    assert.deepEqual(causes(refused).length, 1, 'j was not applied');
    await data('other', { k: '2' }, 409);
    const { object } = await data('kubectl', { k: '2<' });
    assert.equal(
      object.metadata.annotations?.[LAST_APPLIED],
      '{"apiVersion":"v1","data":{"k":"2\\u003c"},"kind":"ConfigMap","metadata":{"name":"a"}}\n',
    );
  });

  it('runs dry', async () => {
    await data('m1&dryRun=All', { k: '1' }, 201);
    await cluster.expect(404, `GET ${CONFIG_MAPS}/a`);
    const made = await data('m1', { k: '1' }, 201);
    const { object } = await data('m1&dryRun=All', { k: '2' });
    assert.deepEqual({ ...(object['data'] as object) }, { k: '2' });
    assert.deepEqual((await cluster.expect(200, `GET ${CONFIG_MAPS}/a`)).object, made.object);
  });

  it('changes objects that wait for their finalizers, which are an owned set', async () => {
    await apply(201, 'm1', configMap({}, { finalizers: ['x.io/y'] }));
    await cluster.expect(200, `DELETE ${CONFIG_MAPS}/a`);
    const { object } = await apply(200, 'm1', configMap({ data: { k: '1' } }, { finalizers: ['x.io/y'] }));
    assert.notEqual(object.metadata.deletionTimestamp, undefined);
    await data('m1', { k: '1' });
    await cluster.expect(404, `GET ${CONFIG_MAPS}/a`);
  });

  it('starts again from what another has written meanwhile', async () => {
    await data('m1', { k: '1' }, 201);
    const other = await Cluster.open({ storage: cluster.storage });
    await Promise.all([
      data('m1', { k: '2' }),
      other.expect(200, `PATCH ${CONFIG_MAPS}/a?fieldManager=m2`, {
        body: configMap({ data: { j: '2' } }),
        contentType: APPLY,
      }),
    ]);
    const { object } = await cluster.expect(200, `GET ${CONFIG_MAPS}/a`);
    other.close();
    assert.deepEqual({ ...(object['data'] as object) }, { j: '2', k: '2' });
  });

  it('asks whether the user may create', async () => {
    cluster.close();
    await open({
      requireAccess: (user, { verb, name }) =>
        Promise.reject(new ApiError('Forbidden', `${user.name} may not ${verb} ${name}`)),
    });
    const { object } = await data('m1', { k: '1' }, 403);
    assert.equal(object['message'], 'admin may not create a');
  });

  describe('refuses', () => {
    const uid = '11111111-1111-1111-1111-111111111111';
    const refusals: [title: string, status: number, body: unknown, message: RegExp, query?: string][] = [
      ['no field manager', 422, configMap(), /fieldManager/, ''],
      ['another kind', 400, { ...configMap(), kind: 'Secret' }, /invalid object type/],
      ['no kind', 400, { ...configMap(), kind: undefined }, /invalid object type/],
      ['another version', 400, { ...configMap(), apiVersion: 'v2' }, /invalid object type/],
      ['another name', 400, configMap({}, { name: 'b' }), /name/],
      ['no name', 400, configMap({}, { name: undefined }), /name/],
      ['another namespace', 400, configMap({}, { namespace: 'other' }), /namespace/],
      ['a record of ownership', 400, configMap({}, { managedFields: [] }), /managedFields/],
      ['unknown fields', 400, configMap({ bogus: 1 }), /\.bogus: field not declared in schema/],
      [
        'unknown fields, ignored or not',
        400,
        configMap({ bogus: 1 }),
        /declared/,
        'fieldManager=m&fieldValidation=Ignore',
      ],
      [
        'a value of another type',
        400,
        configMap({ data: { k: 1 } }),
        /\.data\.k: expected string, not a number/,
      ],
      [
        'a value that its field can not hold',
        400,
        configMap({ binaryData: { k: '!' } }),
        /binaryData\.k: must be base64/,
      ],
      ['repeated items', 400, configMap({}, { finalizers: ['x.io/a', 'x.io/a'] }), /duplicate entries/],
      ['a list', 400, [], /not an object/],
      ['the uid of an object that is gone', 409, configMap({}, { uid }), /there is no such object/],
      ['what makes no valid object', 422, configMap({ data: { 'a b': '1' } }), /data\[a b\]/],
    ];
    for (const [title, status, body, message, query = 'fieldManager=m'] of refusals) {
      it(title, async () => {
        const { object } = await cluster.expect(status, `PATCH ${CONFIG_MAPS}/a?${query}`, {
          body,
          contentType: APPLY,
        });
        assert.match(object['message'] as string, message);
      });
    }

    it('an older version, and another uid', async () => {
      const { object } = await data('m1', { k: '1' }, 201);
      const { resourceVersion } = object.metadata;
      await apply(200, 'm1', configMap({ data: { k: '2' } }, { resourceVersion }));
      await apply(409, 'm1', configMap({ data: { k: '3' } }, { resourceVersion }));
      await apply(422, 'm1', configMap({ data: { k: '3' } }, { uid }));
    });
  });

  it('tells of repeated keys as it is asked to: the last one counts', async () => {
    const raw = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  k: "1"\n  k: "2"\n';
    const send = (status: number, validation: string): Promise<TestAnswer> =>
      cluster.expect(status, `PATCH ${CONFIG_MAPS}/a?fieldManager=m&fieldValidation=${validation}`, {
        raw,
        contentType: APPLY,
      });
    await send(400, 'Strict');
    await cluster.expect(404, `GET ${CONFIG_MAPS}/a`);
    const { object, warnings } = await send(201, 'Warn');
    assert.equal(warnings.length, 1);
    assert.deepEqual({ ...(object['data'] as object) }, { k: '2' });
    assert.deepEqual((await send(200, 'Ignore')).warnings, []);
  });

  it('tells a cause for each of the fields of many managers, and takes all of them by force', async () => {
    const fields = Array.from({ length: 1000 }, (_, i) => `k${i}`);
    const record: ManagedFieldsEntry[] = Array.from({ length: 100 }, (_, m) => ({
      manager: `m${m}`,
      operation: 'Apply',
      apiVersion: 'v1',
      fieldsType: 'FieldsV1',
      fieldsV1: {
        'f:data': Object.fromEntries(fields.slice(m * 10, m * 10 + 10).map((k) => [`f:${k}`, {}])),
      },
    }));
    const values = (value: string): object => Object.fromEntries(fields.map((k) => [k, value]));
    await cluster.expect(201, `POST ${CONFIG_MAPS}`, { body: configMap({ data: values('1') }) });
    await cluster.expect(200, `PATCH ${CONFIG_MAPS}/a`, {
      body: { metadata: { managedFields: record } },
      contentType: 'application/merge-patch+json',
    });
    assert.equal(causes(await data('m', values('2'), 409)).length, 1000);
    const { object } = await data('m&force=true', values('2'));
    assert.equal(owners(object).length, 1);
    await data('m', {});
  });
});
