/** One small valid object of each of the kinds that `kubectl` works through. */
export const MANIFESTS: readonly { kind: string; resource: string; namespaced: boolean; yaml: string }[] = [
  {
    kind: 'ConfigMap',
    resource: 'configmaps',
    namespaced: true,
    yaml: `apiVersion: v1
kind: ConfigMap
metadata: {name: it}
data: {k: v}`,
  },
  {
    kind: 'Secret',
    resource: 'secrets',
    namespaced: true,
    yaml: `apiVersion: v1
kind: Secret
metadata: {name: it}
type: Opaque
stringData: {k: v}`,
  },
  {
    kind: 'ServiceAccount',
    resource: 'serviceaccounts',
    namespaced: true,
    yaml: `apiVersion: v1
kind: ServiceAccount
metadata: {name: it}`,
  },
  {
    kind: 'Pod',
    resource: 'pods',
    namespaced: true,
    yaml: `apiVersion: v1
kind: Pod
metadata: {name: it, labels: {app: it}}
spec:
  serviceAccountName: it
  automountServiceAccountToken: false
  containers: [{name: c, image: "busybox:1.36"}]`,
  },
  {
    kind: 'Endpoints',
    resource: 'endpoints',
    namespaced: true,
    yaml: `apiVersion: v1
kind: Endpoints
metadata: {name: it}
subsets: [{addresses: [{ip: 10.1.2.3}], ports: [{port: 80}]}]`,
  },
  {
    kind: 'LimitRange',
    resource: 'limitranges',
    namespaced: true,
    yaml: `apiVersion: v1
kind: LimitRange
metadata: {name: it}
spec: {limits: [{type: Container, default: {cpu: 100m}}]}`,
  },
  {
    kind: 'ResourceQuota',
    resource: 'resourcequotas',
    namespaced: true,
    yaml: `apiVersion: v1
kind: ResourceQuota
metadata: {name: it}
spec: {hard: {pods: "10"}}`,
  },
  {
    kind: 'Deployment',
    resource: 'deployments',
    namespaced: true,
    yaml: `apiVersion: apps/v1
kind: Deployment
metadata: {name: it}
spec:
  replicas: 2
  selector: {matchLabels: {app: it}}
  template:
    metadata: {labels: {app: it}}
    spec: {containers: [{name: c, image: "busybox:1.36"}]}`,
  },
  {
    kind: 'StatefulSet',
    resource: 'statefulsets',
    namespaced: true,
    yaml: `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: it}
spec:
  serviceName: it
  selector: {matchLabels: {app: it}}
  template:
    metadata: {labels: {app: it}}
    spec: {containers: [{name: c, image: "busybox:1.36"}]}`,
  },
  {
    kind: 'Job',
    resource: 'jobs',
    namespaced: true,
    yaml: `apiVersion: batch/v1
kind: Job
metadata: {name: it}
spec:
  template:
    spec: {restartPolicy: Never, containers: [{name: c, image: "busybox:1.36"}]}`,
  },
  {
    kind: 'CronJob',
    resource: 'cronjobs',
    namespaced: true,
    yaml: `apiVersion: batch/v1
kind: CronJob
metadata: {name: it}
spec:
  schedule: "*/5 * * * *"
  jobTemplate:
    spec:
      template:
        spec: {restartPolicy: Never, containers: [{name: c, image: "busybox:1.36"}]}`,
  },
  {
    kind: 'Ingress',
    resource: 'ingresses',
    namespaced: true,
    yaml: `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: it}
spec: {defaultBackend: {service: {name: it, port: {number: 80}}}}`,
  },
  {
    kind: 'NetworkPolicy',
    resource: 'networkpolicies',
    namespaced: true,
    yaml: `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: it}
spec: {podSelector: {}}`,
  },
  {
    kind: 'PodDisruptionBudget',
    resource: 'poddisruptionbudgets',
    namespaced: true,
    yaml: `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: it}
spec: {minAvailable: 1, selector: {matchLabels: {app: it}}}`,
  },
  {
    kind: 'Role',
    resource: 'roles',
    namespaced: true,
    yaml: `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: it}
rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]`,
  },
  {
    kind: 'RoleBinding',
    resource: 'rolebindings',
    namespaced: true,
    yaml: `apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: it}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: it}
subjects: [{kind: User, name: jane, apiGroup: rbac.authorization.k8s.io}]`,
  },
  {
    kind: 'Lease',
    resource: 'leases',
    namespaced: true,
    yaml: `apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {name: it}
spec: {holderIdentity: me, leaseDurationSeconds: 10}`,
  },
  {
    kind: 'PersistentVolumeClaim',
    resource: 'persistentvolumeclaims',
    namespaced: true,
    yaml: `apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: it}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}`,
  },
  {
    kind: 'ClusterRole',
    resource: 'clusterroles',
    namespaced: false,
    yaml: `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: it}
rules: [{apiGroups: [""], resources: [nodes], verbs: [get]}]`,
  },
  {
    kind: 'StorageClass',
    resource: 'storageclasses',
    namespaced: false,
    yaml: `apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: it}
provisioner: example.com/x`,
  },
  {
    kind: 'Node',
    resource: 'nodes',
    namespaced: false,
    yaml: `apiVersion: v1
kind: Node
metadata: {name: it, labels: {rack: r1}}`,
  },
];
