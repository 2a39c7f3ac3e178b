import { parse } from 'yaml';
import type { Exchange } from './both.ts';

/** An object of each of many kinds, with its status: `<resource>: <object>`. */
const MANIFESTS = `
replicationcontrollers: {apiVersion: v1, kind: ReplicationController, spec: {replicas: 0, selector: {a: b}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}}, status: {replicas: 0}}
podtemplates: {apiVersion: v1, kind: PodTemplate, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}}
endpoints: {apiVersion: v1, kind: Endpoints, subsets: [{addresses: [{ip: 1.2.3.4}], ports: [{port: 80}]}]}
secrets: {apiVersion: v1, kind: Secret, stringData: {a: b}, data: {c: AA==}}
serviceaccounts: {apiVersion: v1, kind: ServiceAccount, secrets: [{name: s}], imagePullSecrets: [{name: p}]}
resourcequotas: {apiVersion: v1, kind: ResourceQuota, spec: {hard: {pods: 1000m}}, status: {hard: {pods: '1'}, used: {pods: '0'}}}
limitranges: {apiVersion: v1, kind: LimitRange, spec: {limits: [{type: Container, max: {cpu: 1500m}}]}}
controllerrevisions: {apiVersion: apps/v1, kind: ControllerRevision, revision: 1, data: {a: {b: [1, {c: 2}]}}}
daemonsets: {apiVersion: apps/v1, kind: DaemonSet, spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}}, status: {currentNumberScheduled: 0, desiredNumberScheduled: 0, numberMisscheduled: 0, numberReady: 0, observedGeneration: 1}}
replicasets: {apiVersion: apps/v1, kind: ReplicaSet, spec: {replicas: 0, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i, volumeMounts: [{name: v, mountPath: /v}]}], volumes: [{name: v, emptyDir: {}}], hostAliases: [{ip: 1.2.3.4, hostnames: [a]}], imagePullSecrets: [{name: x}], topologySpreadConstraints: [{maxSkew: 1, topologyKey: t, whenUnsatisfiable: DoNotSchedule}]}}}, status: {replicas: 0}}
ingressclasses: {apiVersion: networking.k8s.io/v1, kind: IngressClass, spec: {controller: x.io/y, parameters: {kind: X, name: y}}}
ingresses: {apiVersion: networking.k8s.io/v1, kind: Ingress, spec: {rules: [{host: h.io, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: s, port: {number: 80}}}}]}}]}, status: {loadBalancer: {ingress: [{ip: 1.2.3.4}]}}}
networkpolicies: {apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, spec: {podSelector: {}, ingress: [{ports: [{port: 80}]}]}}
poddisruptionbudgets: {apiVersion: policy/v1, kind: PodDisruptionBudget, spec: {minAvailable: 1, selector: {matchLabels: {a: b}}}, status: {currentHealthy: 1, desiredHealthy: 1, disruptionsAllowed: 0, expectedPods: 1, conditions: [{type: A, status: 'True', reason: r, message: '', lastTransitionTime: '2026-01-01T00:00:00Z'}]}}
clusterroles: {apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, rules: [{apiGroups: [''], resources: [pods], verbs: [get]}], aggregationRule: {clusterRoleSelectors: [{matchLabels: {a: b}}]}}
rolebindings: {apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: x}, subjects: [{kind: User, name: u}]}
priorityclasses: {apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, value: 5}
storageclasses: {apiVersion: storage.k8s.io/v1, kind: StorageClass, provisioner: x.io/y, parameters: {a: b}, allowedTopologies: [{matchLabelExpressions: [{key: a, values: [b]}]}]}
csidrivers: {apiVersion: storage.k8s.io/v1, kind: CSIDriver, spec: {attachRequired: false}}
csinodes: {apiVersion: storage.k8s.io/v1, kind: CSINode, spec: {drivers: [{name: a.io, nodeID: n, topologyKeys: [k]}]}}
volumeattachments: {apiVersion: storage.k8s.io/v1, kind: VolumeAttachment, spec: {attacher: a.io, nodeName: n, source: {persistentVolumeName: pv}}, status: {attached: true, attachmentMetadata: {a: b}}}
runtimeclasses: {apiVersion: node.k8s.io/v1, kind: RuntimeClass, handler: h, overhead: {podFixed: {cpu: 10m}}, scheduling: {nodeSelector: {a: b}}}
leases: {apiVersion: coordination.k8s.io/v1, kind: Lease, spec: {holderIdentity: h, leaseDurationSeconds: 5, renewTime: '2026-01-01T00:00:00.000001Z'}}
endpointslices: {apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, addressType: IPv4, endpoints: [{addresses: [1.2.3.4], conditions: {ready: true}}], ports: [{port: 80, name: a}]}
cronjobs: {apiVersion: batch/v1, kind: CronJob, spec: {schedule: '* * * * *', jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}}}, status: {lastScheduleTime: '2026-01-01T00:00:00Z'}}
jobs: {apiVersion: batch/v1, kind: Job, spec: {suspend: true, template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}, status: {active: 0, conditions: [{type: X, status: 'True'}]}}
prioritylevelconfigurations: {apiVersion: flowcontrol.apiserver.k8s.io/v1, kind: PriorityLevelConfiguration, spec: {type: Limited, limited: {nominalConcurrencyShares: 5, limitResponse: {type: Reject}}}, status: {conditions: [{type: X, status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z'}]}}
validatingwebhookconfigurations: {apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingWebhookConfiguration, webhooks: [{name: a.b.c, admissionReviewVersions: [v1], sideEffects: None, clientConfig: {url: 'https://x.y'}, rules: [{apiGroups: [x.io], apiVersions: [v1], operations: [CREATE], resources: [x]}], matchConditions: [{name: a, expression: 'true'}]}]}
validatingadmissionpolicybindings: {apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicyBinding, spec: {policyName: it, validationActions: [Deny]}}
events: {apiVersion: events.k8s.io/v1, kind: Event, regarding: {kind: Pod, name: p, namespace: NAMESPACE}, reason: r, note: m, type: Normal, action: a, reportingController: x.io/y, reportingInstance: z, eventTime: '2026-01-01T00:00:00.000000Z'}
`;

const CLUSTER_SCOPED = new Set(
  `ingressclasses clusterroles priorityclasses storageclasses csidrivers csinodes volumeattachments runtimeclasses
   prioritylevelconfigurations validatingwebhookconfigurations validatingadmissionpolicybindings`.split(
    /\s+/,
  ),
);
const APPLY = 'application/apply-patch+yaml';
const MERGE = 'application/merge-patch+json';

type Manifest = Record<string, unknown> & { apiVersion: string; kind: string; status?: unknown };

/** One and the same history of writes for an object of each kind. */
export function kindHistories(namespace: string): [resource: string, exchanges: Exchange[]][] {
  const manifests = parse(MANIFESTS.replaceAll('NAMESPACE', namespace)) as Record<string, Manifest>;
  return Object.entries(manifests).map(([resource, manifest]) => [
    resource,
    historyOf(resource, manifest, namespace),
  ]);
}

function historyOf(resource: string, manifest: Manifest, namespace: string): Exchange[] {
  const { apiVersion, kind, status } = manifest;
  const where = CLUSTER_SCOPED.has(resource) ? '' : `/namespaces/${namespace}`;
  const all = `/api${apiVersion.includes('/') ? 's' : ''}/${apiVersion}${where}/${resource}`;
  const name = `it-${namespace}`;
  const item = `${all}/${name}`;
  const whole = { ...manifest, metadata: { name } };
  const head = (metadata: object = {}): object => ({ apiVersion, kind, metadata: { name, ...metadata } });
  const apply = (path: string, body: object): Exchange => ({
    method: 'PATCH',
    path,
    contentType: APPLY,
    body,
  });
  const patch = (path: string, body: object): Exchange => ({
    method: 'PATCH',
    path,
    contentType: MERGE,
    body,
  });
  const more = { labels: { s: '1' }, annotations: { s: '1' } };
  const throughStatus = [
    patch(`${item}/status?fieldManager=s1`, { status, metadata: more }),
    apply(`${item}/status?fieldManager=s2`, { ...head(), status }),
    apply(`${item}/status?fieldManager=s2`, head({ labels: { t: '1' } })),
  ];
  return [
    { method: 'POST', path: `${all}?fieldManager=maker`, body: whole },
    apply(`${item}?fieldManager=m1`, whole),
    apply(`${item}?fieldManager=m1&force=true`, whole),
    apply(`${item}?fieldManager=m2`, head({ labels: { a: '1' }, annotations: { b: '1' } })),
    patch(`${item}?fieldManager=u1`, {
      metadata: { labels: { u: '1' }, finalizers: ['x.io/y'] },
      ...(status === undefined ? {} : { status }),
    }),
    ...(status === undefined ? [] : throughStatus),
    apply(`${item}?fieldManager=m1`, head()),
    { method: 'GET', path: item },
    patch(`${item}?fieldManager=u1`, { metadata: { finalizers: null } }),
  ];
}
