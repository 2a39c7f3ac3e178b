import assert from 'node:assert/strict';
import type { Json, JsonObject } from '../../../src/meta/object.ts';
import type { StructType, ValueType } from '../../../src/schema/model.ts';
import { openSchemas, readFact } from '../../support/schemas.ts';

/** An object as it was sent to the reference server, and what that added to it. */
interface Sample {
  sent?: JsonObject;
  filledIn?: Record<string, Json>;
}

/**
 * What the server fills in that no default of a field can say, since it depends on other fields, on the server or on
 * the requester: by kind, paths with `*` for indexes. Row hooks and admission fill these in.
 */
const FILLED_BY_CODE: Record<string, readonly string[]> = {
  CertificateSigningRequest: ['/spec/groups/*', '/spec/uid', '/spec/username'],
  ClusterRoleBinding: ['/subjects/*/apiGroup'],
  CustomResourceDefinition: ['/spec/names/listKind', '/spec/names/singular', '/status/storedVersions/*'],
  DaemonSet: ['/spec/updateStrategy/rollingUpdate/maxUnavailable'],
  Deployment: ['/spec/strategy/rollingUpdate/maxSurge', '/spec/strategy/rollingUpdate/maxUnavailable'],
  HorizontalPodAutoscaler: ['/spec/targetCPUUtilizationPercentage', '/spec/metrics/', '/spec/behavior/'],
  Job: [
    '/spec/backoffLimit',
    '/spec/completions',
    '/spec/parallelism',
    '/spec/podReplacementPolicy',
    '/spec/selector/matchLabels/',
    '/spec/template/metadata/labels/',
  ],
  LimitRange: ['/spec/limits/*/default/', '/spec/limits/*/defaultRequest/'],
  NetworkPolicy: ['/spec/policyTypes/*'],
  Node: ['/spec/taints/*/'],
  PersistentVolume: ['/status/lastPhaseTransitionTime'],
  Pod: [
    '/spec/containers/*/resources/requests/',
    '/spec/containers/*/volumeMounts/*/',
    '/spec/initContainers/*/volumeMounts/*/',
    '/spec/preemptionPolicy',
    '/spec/serviceAccount',
    '/spec/serviceAccountName',
    '/spec/tolerations/*/',
    '/spec/volumes/*/',
    '/status/phase',
    '/status/qosClass',
  ],
  RoleBinding: ['/subjects/*/apiGroup'],
  Secret: ['/data/'],
  Service: [
    '/spec/allocateLoadBalancerNodePorts',
    '/spec/clusterIP',
    '/spec/clusterIPs/*',
    '/spec/externalTrafficPolicy',
    '/spec/healthCheckNodePort',
    '/spec/internalTrafficPolicy',
    '/spec/ipFamilies/*',
    '/spec/ipFamilyPolicy',
    '/spec/ports/*/nodePort',
    '/spec/ports/*/targetPort',
    '/spec/sessionAffinityConfig/clientIP/timeoutSeconds',
  ],
  StatefulSet: [
    '/spec/updateStrategy/type',
    '/spec/volumeClaimTemplates/*/apiVersion',
    '/spec/volumeClaimTemplates/*/kind',
  ],
};

/** Encodings: quantities in canonical form, and images pulled by tag wherever containers stand. */
const FILLED_EVERYWHERE = [/\/imagePullPolicy$/, /\/(requests|limits|hard)\/[^/]+$/, /\/divisor$/];

describe('defaults of fields', () => {
  const { registry } = openSchemas('kubernetes', 'all');
  const samples = Object.entries(readFact<Record<string, Sample>>('defaults.json'));

  for (const [title, { sent, filledIn }] of samples) {
    if (sent === undefined || filledIn === undefined) continue;
    const [group = '', version = '', kind = ''] = splitKind(title);

    it(`come to what the reference fills in: ${title}`, () => {
      const type = registry.decodable(group, version, kind);
      assert.ok(type);
      const filled = structuredClone(sent);
      fillStruct(type, filled);
      const before = flatten(sent);
      const added = new Map([...flatten(filled)].filter(([path, value]) => before.get(path) !== value));
      const expected = flattenAll(filledIn);
      for (const [path, value] of added) assert.equal(value, expected.get(path), path);
      const left = [...expected].filter(([path, value]) => !added.has(path) && saysSomething(path, value));
      const unexplained = left.filter(([path]) => !isFilledByCode(kind, path));
      assert.deepEqual(unexplained, []);
    });
  }
});

/** `v1/Pod`, `apps/v1/Deployment`, with a remark in brackets behind it where a kind has several samples. */
function splitKind(title: string): string[] {
  const parts = title.replace(/ \[.*$/, '').split('/');
  return parts.length === 2 ? ['', ...parts] : parts;
}

function fillStruct(type: StructType, object: JsonObject): void {
  for (const field of type.fields) {
    const present = object[field.name];
    if (field.default !== undefined && isAbsent(present, field.pointer))
      object[field.name] = structuredClone(field.default);
    const value = object[field.name];
    if (value !== undefined && value !== null) fillValue(field.type, value);
    else if (field.type.kind === 'struct' && !field.pointer) {
      const zero: JsonObject = {};
      fillStruct(field.type.struct, zero);
      if (Object.keys(zero).length > 0) object[field.name] = zero;
    }
  }
}

function isAbsent(value: Json | undefined, pointer: boolean): boolean {
  return value === undefined || value === null || (!pointer && (value === '' || value === 0));
}

function fillValue(type: ValueType, value: Json): void {
  if (type.kind === 'struct') fillStruct(type.struct, value as JsonObject);
  else if (type.kind === 'list') for (const item of value as Json[]) fillValue(type.items, item);
  else if (type.kind === 'map')
    for (const item of Object.values(value as JsonObject)) fillValue(type.values, item as Json);
}

/** JSON pointer → value as JSON text, for everything that is no object or list or is an empty one. */
function flatten(value: Json | undefined, path = '', into = new Map<string, string>()): Map<string, string> {
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) {
    for (const [key, item] of Object.entries(value)) {
      flatten(item, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, into);
    }
  } else {
    into.set(path, JSON.stringify(value));
  }
  return into;
}

function flattenAll(values: Record<string, Json>): Map<string, string> {
  const all = new Map<string, string>();
  for (const [path, value] of Object.entries(values)) flatten(value, path, all);
  return all;
}

/** Zero values show how objects are encoded, not what they default to; metadata is filled in by the verbs. */
function saysSomething(path: string, value: string): boolean {
  return !path.startsWith('/metadata') && !['null', '{}', '""', '0', 'false', '"<dropped>"'].includes(value);
}

function isFilledByCode(kind: string, path: string): boolean {
  if (FILLED_EVERYWHERE.some((pattern) => pattern.test(path))) return true;
  const general = path.replace(/\/\d+(?=\/|$)/g, '/*');
  return (FILLED_BY_CODE[kind] ?? []).some((known) =>
    known.endsWith('/') ? general.startsWith(known) : general === known,
  );
}
