import { readFileSync } from 'node:fs';
import { openRules } from '../src/app/rules.ts';
import { loadNames } from '../src/names/load.ts';
import { createHooks } from '../src/registry/hooks-table.ts';
import { ANY_PODS } from '../src/registry/pod/settings.ts';
import { loadSchemas } from '../src/schema/load.ts';
import { decodeObject } from '../src/schema/codec/decode.ts';
import { encodeObject } from '../src/schema/codec/encode.ts';
import { updateOwnership } from '../src/schema/ownership/update-ownership.ts';
import { parseJson } from '../src/schema/parse/json.ts';
import { strategicMerge } from '../src/schema/patch/strategic-merge.ts';
import type { ApiObject, JsonObject } from '../src/meta/object.ts';

/** What a write costs before and after the verbs, in processor time: `node bench/schema.ts`. */

const resource = loadSchemas({ profile: 'orch' }).resource('', 'v1', 'pods');
if (resource === undefined) throw new Error('the schemas have no pods');
const { type } = resource;

const CONTAINER = {
  name: 'web',
  image: 'registry.example.com/team/web:1.2.3',
  ports: [{ name: 'http', containerPort: 8080 }],
  env: [
    { name: 'LOG_LEVEL', value: 'info' },
    { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
  ],
  resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { cpu: '1', memory: '1Gi' } },
  livenessProbe: { httpGet: { path: '/healthz', port: 'http' }, initialDelaySeconds: 5 },
  volumeMounts: [{ name: 'data', mountPath: '/data' }],
};
const POD = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'web-5d4f8c7b9-x2x4k',
    namespace: 'default',
    uid: '1b7f2a4e-3c1d-4a5b-9e8f-0a1b2c3d4e5f',
    creationTimestamp: '2026-01-01T00:00:00Z',
    labels: { app: 'web', 'pod-template-hash': '5d4f8c7b9', tier: 'front' },
    annotations: { 'example.com/scrape': 'true' },
    ownerReferences: [
      { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-5d4f8c7b9', uid: '2c8a', controller: true },
    ],
  },
  spec: {
    containers: [CONTAINER],
    volumes: [{ name: 'data', emptyDir: {} }],
    tolerations: [{ key: 'example.com/gone', operator: 'Exists', effect: 'NoExecute' }],
  },
  status: {
    phase: 'Running',
    podIP: '10.0.0.1',
    podIPs: [{ ip: '10.0.0.1' }],
    conditions: ['Ready', 'Initialized'].map((name) => ({
      type: name,
      status: 'True',
      lastTransitionTime: '2026-01-01T00:00:10Z',
    })),
  },
};

const ROUNDS = 20_000;

function measure(name: string, run: () => unknown): void {
  for (let i = 0; i < ROUNDS; i++) run();
  const start = process.cpuUsage();
  for (let i = 0; i < ROUNDS; i++) run();
  const { user, system } = process.cpuUsage(start);
  const us = (user + system) / ROUNDS;
  console.log(`${name.padEnd(44)}${us.toFixed(1).padStart(8)} µs`);
}

const sent = Buffer.from(JSON.stringify(POD));
const fresh = (): ApiObject => decodeObject(type, POD).object;

/** An object with an owner's record, as it would be stored after it was made by one manager. */
function owned(): ApiObject {
  const next = fresh();
  own(undefined, next, 'kubectl-create', '2026-01-01T00:00:00Z');
  return next;
}

const versions = { typeIn: () => type, convert: (object: ApiObject) => object };

function own(old: ApiObject | undefined, next: ApiObject, manager: string, time: string): void {
  const update = { versions, old, next, manager, time, apiVersion: 'v1', subresource: '', resetFields: {} };
  updateOwnership(update);
}

const live = owned();
const stored = Buffer.from(encodeObject(type, live));
const labelled = decodeObject(type, JSON.parse(stored.toString()) as JsonObject).object;
labelled.metadata.labels = { ...labelled.metadata.labels, version: 'v2' };
const parsedSent = parseJson(sent).value;
const parsedStored = parseJson(stored).value;
const record = live.metadata.managedFields ?? [];

console.log(`a pod of ${sent.length} bytes as sent, ${stored.length} as stored`);
measure('JSON.parse, as sent', () => JSON.parse(sent.toString()));
measure('parse, as sent', () => parseJson(sent));
measure('parse, as stored', () => parseJson(stored));
measure('decode, as sent', () => decodeObject(type, parsedSent, { defaults: false }));
measure('decode and default, as sent', () => decodeObject(type, parsedSent));
measure('decode and default, as stored', () => decodeObject(type, parsedStored));
const unowned = fresh();
measure('ownership of a create', () =>
  own(undefined, { ...unowned, metadata: { ...unowned.metadata } }, 'm', 't'),
);
measure('ownership of a change, record echoed', () => {
  own(live, { ...labelled, metadata: { ...labelled.metadata, managedFields: record } }, 'm', 't');
});
measure('ownership of no change', () => {
  own(live, { ...live, metadata: { ...live.metadata, managedFields: record } }, 'm', 't');
});
measure('JSON.stringify, as stored', () => JSON.stringify(live));
measure('encode, as stored', () => encodeObject(type, live));
measure('strategic merge of one container', () =>
  strategicMerge(type, structuredClone(POD), {
    spec: { containers: [{ name: 'web', image: 'registry.example.com/team/web:1.2.4' }] },
  }),
);
measure('(structuredClone in it)', () => structuredClone(POD));

// A pod with something in nearly every field: ten volumes of as many types, probes, affinity, security contexts…
const file = new URL('../test/fixtures/rules/pod.json', import.meta.url);
const whole = JSON.parse(readFileSync(file, 'utf8')) as JsonObject;
const full = decodeObject(type, { apiVersion: 'v1', kind: 'Pod', ...whole }).object;
const names = loadNames({ profile: 'orch' });
const rules = openRules(names, ANY_PODS);
const hooks = createHooks(names)(resource);
hooks.defaults?.(full);
measure('rules of the full pod', () => rules.check(type, full));
measure('warnings of the full pod', () => hooks.warnings?.(full, undefined));
