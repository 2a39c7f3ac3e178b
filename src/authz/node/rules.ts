import type { RequestInfo } from '../../request/request-info.ts';
import type { AuthorizationRequest } from '../authorizer.ts';
import type { SelectorsOf } from '../selectors.ts';
import type { NodeGraph, ReferredType } from './graph.ts';

/** Why a node may not do something with a resource; '' says no more than that, undefined that it may. */
export type NodeRule = (node: string, request: AuthorizationRequest) => string | undefined;

/** What the rules go by. */
export interface NodeRuleParts {
  readonly graph: NodeGraph;
  /** Group names and the namespace of leases, of the profile. */
  readonly names: {
    readonly storage: string;
    readonly resource: string;
    readonly coordination: string;
    readonly leaseNamespace: string;
  };
  /** Whether nodes may read only themselves and their own pods; absent: all of them. */
  readonly selectorsOf?: SelectorsOf;
}

const READ = new Set(['get', 'list', 'watch']);
const CHANGE_STATUS = new Set(['update', 'patch']);
const KEEP = new Set(['get', 'create', 'update', 'patch', 'delete']);
const SELECT = new Set(['list', 'watch', 'deletecollection']);

/** The rules of the resources of which nodes get but a part, by `group/resource`. */
export function nodeRules(parts: NodeRuleParts): ReadonlyMap<string, NodeRule> {
  const { graph, names, selectorsOf } = parts;
  const get = (type: ReferredType): NodeRule => getRule(graph, type);
  const claims = get('claim');
  const claimStatus = statusRule(graph, 'claim');
  return new Map<string, NodeRule>([
    ['/secrets', readRule(graph, 'secret')],
    ['/configmaps', readRule(graph, 'configMap')],
    [
      '/persistentvolumeclaims',
      (node, request) => (request.info.subresource === 'status' ? claimStatus : claims)(node, request),
    ],
    ['/persistentvolumes', get('volume')],
    [`${names.resource}/resourceclaims`, get('resourceClaim')],
    [`${names.storage}/volumeattachments`, get('attachment')],
    ['/serviceaccounts', tokenRule(graph)],
    [`${names.coordination}/leases`, leaseRule(names.leaseNamespace)],
    [`${names.storage}/csinodes`, csiNodeRule],
    [`${names.resource}/resourceslices`, sliceRule(parts)],
    ...(selectorsOf === undefined
      ? []
      : ([
          ['/nodes', ownNodeRule],
          ['/pods', podRule(parts)],
        ] as const)),
  ]);
}

function related(graph: NodeGraph, type: ReferredType, node: string, info: RequestInfo): string | undefined {
  if (info.name === '') return 'the request names no object';
  if (graph.reaches(node, { type, namespace: info.namespace, name: info.name })) return undefined;
  return `no relationship found between node '${node}' and this object`;
}

function getRule(graph: NodeGraph, type: ReferredType): NodeRule {
  return (node, { info }) => {
    if (info.verb !== 'get') return 'can only get individual resources of this type';
    if (info.subresource !== '') return 'cannot get subresource';
    return related(graph, type, node, info);
  };
}

function readRule(graph: NodeGraph, type: ReferredType): NodeRule {
  return (node, { info }) => {
    if (!READ.has(info.verb)) return 'can only read resources of this type';
    if (info.subresource !== '') return 'cannot read subresource';
    if (info.namespace === '') return 'can only read namespaced object of this type';
    return related(graph, type, node, info);
  };
}

function statusRule(graph: NodeGraph, type: ReferredType): NodeRule {
  return (node, { info }) =>
    CHANGE_STATUS.has(info.verb) ? related(graph, type, node, info) : 'can only update or patch the status';
}

function tokenRule(graph: NodeGraph): NodeRule {
  return (node, { info }) => {
    if (info.verb !== 'create' || info.name === '' || info.subresource !== 'token') {
      return 'can only create tokens for individual service accounts';
    }
    return related(graph, 'serviceAccount', node, info);
  };
}

/** The name of what is created isn't known here: admission sees to it. */
function leaseRule(namespace: string): NodeRule {
  return (node, { info }) => {
    if (!KEEP.has(info.verb)) return 'can only get, create, update, patch, or delete a node lease';
    if (info.namespace !== namespace)
      return `can only access leases in the ${JSON.stringify(namespace)} namespace`;
    if (info.verb === 'create' || info.name === node) return undefined;
    return 'can only access node lease with the same name as the requesting node';
  };
}

const csiNodeRule: NodeRule = (node, { info }) => {
  if (!KEEP.has(info.verb)) return 'can only get, create, update, patch, or delete a CSINode';
  if (info.subresource !== '') return 'cannot access CSINode subresources';
  if (info.verb === 'create' || info.name === node) return undefined;
  return 'can only access CSINode with the same name as the requesting node';
};

function sliceRule({ graph, selectorsOf }: NodeRuleParts): NodeRule {
  return (node, request) => {
    const { info } = request;
    if (info.subresource !== '') return 'cannot access ResourceSlice subresources';
    if (info.verb === 'create') return undefined;
    if (KEEP.has(info.verb)) return related(graph, 'slice', node, info);
    if (!SELECT.has(info.verb)) return 'this verb is not for nodes';
    // Without selectors, admission sees to it that a node deletes only its own.
    if (selectorsOf === undefined || selectorsOf(request).fields.some(isField('spec.nodeName', node)))
      return undefined;
    return 'can only list, watch or delete a collection of resourceslices with the field selector spec.nodeName';
  };
}

const ownNodeRule: NodeRule = (node, { info: { verb, subresource, name } }) => {
  if (subresource === 'status') return CHANGE_STATUS.has(verb) ? undefined : '';
  if (subresource !== '') return '';
  // Admission lets nodes write only themselves.
  if (verb === 'create' || CHANGE_STATUS.has(verb)) return undefined;
  if (!READ.has(verb)) return '';
  if (name === node) return undefined;
  return `node '${node}' cannot read ${name === '' ? 'all nodes' : `'${name}'`}, only its own Node object`;
};

/** What a node may do with pods that aren't its own is seen to by admission. */
const POD_WRITES: ReadonlySet<string> = new Set([
  'create pods',
  'delete pods',
  'update pods/status',
  'patch pods/status',
  'create pods/eviction',
]);

function podRule({ graph, selectorsOf }: NodeRuleParts): NodeRule {
  return (node, request) => {
    const { info } = request;
    const { verb, subresource } = info;
    if (POD_WRITES.has(subresource === '' ? `${verb} pods` : `${verb} pods/${subresource}`)) return undefined;
    if (subresource !== '' || !READ.has(verb)) return '';
    if (verb === 'get') return related(graph, 'pod', node, info);
    if (selectorsOf?.(request).fields.some(isField('spec.nodeName', node)) === true) return undefined;
    if (info.name !== '') return related(graph, 'pod', node, info);
    return 'can only list/watch pods with spec.nodeName field selector';
  };
}

function isField(field: string, value: string) {
  return (demand: { readonly field: string; readonly equals: boolean; readonly value: string }): boolean =>
    demand.equals && demand.field === field && demand.value === value;
}
