import { parseGroupVersion, type ApiObject, type Json, type JsonObject } from '../../meta/object.ts';
import { sameJson } from '../../meta/same-json.ts';
import type { NamingProfile } from '../../names/profile.ts';
import { isObject, numberAt, objectAt, objectsAt } from '../../meta/fields.ts';
import { applyMoves, type Move } from './moves.ts';

/** Ports of an ingress's backend had one field for numbers and names. */
const BACKEND = (at: readonly string[]): Move[] => [
  { at, from: ['serviceName'], to: ['service', 'name'], value: (name) => name || undefined },
  { at, from: ['servicePort'], to: ['service', 'port'], value: backendPort },
];

function backendPort(port: Json): Json | undefined {
  if (typeof port === 'string') return { name: port };
  return port === 0 ? undefined : { number: port };
}

const SUBJECTS: readonly Move[] = [
  { at: ['subjects', '[]'], from: ['apiVersion'], to: ['apiGroup'], value: groupOf },
];

function groupOf(apiVersion: Json): Json | undefined {
  return typeof apiVersion === 'string' ? parseGroupVersion(apiVersion)?.group || undefined : undefined;
}

/** Where fields of versions that are no longer served stand in the version that is, by kind. */
const MOVES: Readonly<Record<string, readonly Move[]>> = {
  'apps.DaemonSet': [
    {
      from: ['spec', 'templateGeneration'],
      to: ['metadata', 'annotations', 'deprecated.daemonset.template.generation'],
      value: String,
    },
  ],
  'apps.Deployment': [
    {
      from: ['spec', 'rollbackTo'],
      to: ['metadata', 'annotations', 'deprecated.deployment.rollback.to'],
      value: (rollback) => String(isObject(rollback) ? numberAt(rollback, 'revision') : 0),
    },
  ],
  'flowcontrol.PriorityLevelConfiguration': [
    { at: ['spec', 'limited'], from: ['assuredConcurrencyShares'], to: ['nominalConcurrencyShares'] },
  ],
  'networking.Ingress': [
    { at: ['spec'], from: ['backend'], to: ['defaultBackend'] },
    ...BACKEND(['spec', 'defaultBackend']),
    ...BACKEND(['spec', 'rules', '[]', 'http', 'paths', '[]', 'backend']),
  ],
  'node.RuntimeClass': [
    { from: ['spec', 'runtimeHandler'], to: ['handler'] },
    { from: ['spec', 'overhead'], to: ['overhead'] },
    { from: ['spec', 'scheduling'], to: ['scheduling'] },
  ],
  'rbac.ClusterRoleBinding': SUBJECTS,
  'rbac.RoleBinding': SUBJECTS,
};

/** Takes objects that earlier releases stored to the versions of this one, in place; by kind. */
export function removedVersions(names: NamingProfile): Map<string, (object: ApiObject) => void> {
  const converters = new Map<string, (object: ApiObject) => void>(
    Object.entries(MOVES).map(([kind, moves]) => [kind, (object) => applyMoves(object, moves)]),
  );
  const zone = names.get('label.zone');
  const hostname = names.get('label.hostname');
  converters.set('discovery.EndpointSlice', (slice) => {
    for (const endpoint of objectsAt(slice, 'endpoints')) topologyOf(endpoint, { zone, hostname });
  });
  const noPods = names.get('annotation.disruption-budget-empty-selector');
  converters.set('policy.PodDisruptionBudget', (budget) => readOldSelector(budget, noPods));
  return converters;
}

/** An endpoint's place was a map of labels. */
function topologyOf(
  endpoint: JsonObject,
  labels: { readonly zone: string; readonly hostname: string },
): void {
  applyMoves(endpoint, [
    { from: ['topology'], to: ['deprecatedTopology'] },
    { from: ['deprecatedTopology', labels.zone], to: ['zone'] },
  ]);
  const topology = objectAt(endpoint, 'deprecatedTopology');
  if (topology === undefined) return;
  if (topology[labels.hostname] === endpoint.nodeName) delete topology[labels.hostname];
  if (Object.keys(topology).length === 0) delete endpoint.deprecatedTopology;
}

/** An empty selector chose nothing in policy/v1beta1, and chooses everything since. @param label that no pod has. */
function readOldSelector(budget: ApiObject, label: string): void {
  const spec = objectAt(budget, 'spec');
  const selector = objectAt(spec, 'selector');
  if (spec === undefined || selector === undefined || !budget.apiVersion.endsWith('/v1beta1')) return;
  const demand = (operator: string): JsonObject => ({ matchExpressions: [{ key: label, operator }] });
  if (Object.keys(selector).length === 0) spec.selector = demand('Exists');
  else if (sameJson(selector, demand('DoesNotExist'))) spec.selector = {};
}
