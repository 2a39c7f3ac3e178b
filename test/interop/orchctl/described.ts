/** Objects with whatever a description shows, in a namespace of their own. */
export const DESCRIBED = (namespace: string): string => `apiVersion: v1
kind: Event
metadata: {name: e1}
involvedObject: {kind: Pod, name: rich, namespace: ${namespace}, apiVersion: v1}
type: Warning
reason: Failed
message: "  went wrong "
firstTimestamp: 2020-01-01T00:00:00Z
lastTimestamp: 2020-01-05T00:00:00Z
count: 3
source: {component: kubelet, host: n1}
---
apiVersion: v1
kind: Event
metadata: {name: e2}
involvedObject: {kind: Pod, name: rich, namespace: ${namespace}}
type: Normal
reason: Scheduled
message: fine
firstTimestamp: 2020-01-01T00:00:00Z
lastTimestamp: 2020-01-01T00:00:00Z
count: 1
reportingComponent: scheduler
---
apiVersion: v1
kind: Pod
metadata:
  name: rich
  labels: {app: web, tier: front}
  annotations:
    short: value
    multi: "a\\nb\\nc\\n"
    long: "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"
spec:
  priority: 0
  serviceAccountName: default
  automountServiceAccountToken: false
  nodeName: n1
  securityContext: {seccompProfile: {type: RuntimeDefault}}
  nodeSelector: {disk: ssd, a: b}
  readinessGates: [{conditionType: example.com/ready}]
  initContainers:
  - name: setup
    image: busybox
    command: [sh, -c, "echo 1\\necho 2"]
    restartPolicy: Always
  containers:
  - name: main
    image: nginx:1
    args: [a, "b c"]
    ports: [{containerPort: 80}, {containerPort: 443, protocol: TCP, hostPort: 8443}]
    resources: {limits: {cpu: 500m, memory: 128Mi}, requests: {cpu: 250m, memory: 64Mi}}
    securityContext: {seccompProfile: {type: Localhost, localhostProfile: p.json}}
    livenessProbe: {httpGet: {path: "/healthz?x=1 (y)%", port: 8080, scheme: HTTPS}, initialDelaySeconds: 3}
    readinessProbe: {exec: {command: [cat, /tmp/ready]}}
    startupProbe: {grpc: {port: 5000, service: s}}
    env:
    - {name: PLAIN, value: "1"}
    - {name: LINES, value: "a\\nb"}
    - {name: NAME, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
    - {name: IP, valueFrom: {fieldRef: {fieldPath: status.podIP}}}
    - {name: LABEL, valueFrom: {fieldRef: {fieldPath: "metadata.labels['app']"}}}
    - {name: NS, valueFrom: {fieldRef: {fieldPath: metadata.namespace}}}
    - {name: CPU, valueFrom: {resourceFieldRef: {resource: limits.cpu}}}
    - {name: MEM, valueFrom: {resourceFieldRef: {resource: limits.memory, divisor: 1Mi}}}
    - {name: DISK, valueFrom: {resourceFieldRef: {resource: limits.ephemeral-storage}}}
    - {name: KEY, valueFrom: {secretKeyRef: {name: s, key: k, optional: true}}}
    - {name: CM, valueFrom: {configMapKeyRef: {name: c, key: k}}}
    envFrom:
    - {configMapRef: {name: c}}
    - {prefix: P_, secretRef: {name: s, optional: true}}
    volumeMounts: [{name: data, mountPath: /data}, {name: cfg, mountPath: /a, readOnly: true, subPath: x y}]
  - name: bare
    image: nginx:2
    livenessProbe: {tcpSocket: {port: http, host: h}}
  tolerations:
  - {key: b, operator: Exists, effect: NoSchedule}
  - {operator: Exists}
  - {key: a, operator: Equal, value: v, effect: NoExecute, tolerationSeconds: 30}
  topologySpreadConstraints:
  - {maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: web}, matchExpressions: [{key: tier, operator: In, values: [b, a]}, {key: z, operator: DoesNotExist}]}}
  - {maxSkew: 2, topologyKey: host, whenUnsatisfiable: ScheduleAnyway}
  volumes:
  - {name: data, emptyDir: {sizeLimit: 1Gi}}
  - {name: mem, emptyDir: {medium: Memory}}
  - {name: cfg, configMap: {name: c}}
  - {name: sec, secret: {secretName: s, optional: true}}
  - {name: host, hostPath: {path: /var}}
  - {name: pvc, persistentVolumeClaim: {claimName: claim, readOnly: true}}
  - {name: down, downwardAPI: {items: [{path: labels, fieldRef: {fieldPath: metadata.labels}}, {path: cpu, resourceFieldRef: {containerName: main, resource: limits.cpu}}]}}
  - {name: eph, ephemeral: {volumeClaimTemplate: {metadata: {labels: {x: "1", y: "2"}}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}}}
  - {name: csi, csi: {driver: d, volumeAttributes: {a: "1", b: "2"}}}
  - {name: proj, projected: {sources: [{secret: {name: s}}, {configMap: {name: c}}, {downwardAPI: {items: [{path: l, fieldRef: {fieldPath: metadata.name}}]}}, {serviceAccountToken: {path: t}}]}}
  - {name: nfs, nfs: {server: s, path: /p}}
  - {name: iscsi, iscsi: {targetPortal: "1.2.3.4", iqn: iqn.2001-04.com.example:x, lun: 0, secretRef: {name: ch}, chapAuthSession: true}}
  - {name: rbd, rbd: {monitors: ["1.2.3.4:1"], image: i}}
  - {name: fc, fc: {targetWWNs: [a, b], lun: 2}}
  - {name: flex, flexVolume: {driver: "d/e", options: {a: b}}}
  - {name: cephfs, cephfs: {monitors: [a, b]}}
  - {name: azd, azureDisk: {diskName: d, diskURI: "https://a.blob.core.windows.net/c/d.vhd"}}
  - {name: azf, azureFile: {secretName: s, shareName: t}}
  - {name: git, gitRepo: {repository: r}}
  - {name: gl, glusterfs: {endpoints: e, path: p}}
  - {name: gce, gcePersistentDisk: {pdName: p}}
  - {name: aws, awsElasticBlockStore: {volumeID: v}}
  - {name: quo, quobyte: {registry: "r:1", volume: v}}
  - {name: vsp, vsphereVolume: {volumePath: v}}
  - {name: pho, photonPersistentDisk: {pdID: v}}
  - {name: por, portworxVolume: {volumeID: v}}
  - {name: sca, scaleIO: {gateway: g, system: s, volumeName: v, secretRef: {name: x}}}
  - {name: sto, storageos: {volumeName: v}}
  - {name: cin, cinder: {volumeID: v}}
  - {name: flo, flocker: {datasetName: v}}
---
apiVersion: v1
kind: Pod
metadata: {name: plain}
spec: {containers: [{name: c, image: i}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}, annotations: {note: hi}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}, matchExpressions: [{key: tier, operator: NotIn, values: [x]}]}
  template:
    metadata: {labels: {app: web}, annotations: {a: b}}
    spec:
      priorityClassName: ""
      serviceAccountName: sa
      initContainers: [{name: i, image: x}]
      containers:
      - {name: main, image: "nginx:1", ports: [{containerPort: 80}], env: [{name: A, valueFrom: {fieldRef: {fieldPath: metadata.name}}}], volumeMounts: [{name: v, mountPath: /v}]}
      volumes: [{name: v, emptyDir: {}}]
      tolerations: [{key: x, operator: Exists}]
      nodeSelector: {k: v}
      topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}, {maxSkew: 1, topologyKey: host, whenUnsatisfiable: DoNotSchedule}]
---
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: rs}
spec: {replicas: 1, selector: {matchLabels: {app: rs}}, template: {metadata: {labels: {app: rs}}, spec: {containers: [{name: c, image: i}]}}}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: sts}
spec: {serviceName: s, replicas: 1, selector: {matchLabels: {app: sts}}, template: {metadata: {labels: {app: sts}}, spec: {containers: [{name: c, image: i}]}}, volumeClaimTemplates: [{metadata: {name: d, labels: {x: "1"}}, spec: {accessModes: [ReadWriteOnce], storageClassName: fast, resources: {requests: {storage: 1Gi}}}}]}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: ds}
spec: {selector: {matchLabels: {app: ds}}, template: {metadata: {labels: {app: ds}}, spec: {nodeSelector: {a: b}, containers: [{name: c, image: i}]}}}
---
apiVersion: v1
kind: ReplicationController
metadata: {name: rc}
spec: {replicas: 1, selector: {app: rc}, template: {metadata: {labels: {app: rc}}, spec: {containers: [{name: c, image: i}]}}}
---
apiVersion: batch/v1
kind: Job
metadata: {name: job}
spec: {manualSelector: true, selector: {matchLabels: {job: x}}, completionMode: Indexed, completions: 3, parallelism: 2, activeDeadlineSeconds: 100, ttlSecondsAfterFinished: 10, template: {metadata: {labels: {job: x}}, spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: cron}
spec: {schedule: "* * * * *", startingDeadlineSeconds: 5, jobTemplate: {spec: {parallelism: 1, template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}}}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {clusterIP: None, selector: {app: web, tier: x}, ports: [{name: http, port: 80, targetPort: 8080}, {name: https, port: 443, targetPort: tls}], externalIPs: [1.2.3.4]}
---
apiVersion: v1
kind: Service
metadata: {name: ext}
spec: {type: ExternalName, externalName: example.com}
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: web-1, labels: {kubernetes.io/service-name: web}}
addressType: IPv4
ports: [{name: http, port: 8080, protocol: TCP}]
endpoints:
- {addresses: [10.0.0.1], conditions: {ready: true}}
- {addresses: [10.0.0.2], conditions: {ready: false}}
- {addresses: [10.0.0.3]}
- {addresses: [10.0.0.4]}
- {addresses: [10.0.0.5], hostname: h, nodeName: nn, zone: z}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: ing, labels: {a: b}, annotations: {c: d}}
spec:
  ingressClassName: nginx
  tls: [{hosts: [a.example, b.example], secretName: s}, {hosts: [c.example]}]
  defaultBackend: {resource: {apiGroup: g, kind: K, name: nn}}
  rules:
  - host: a.example
    http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}, {path: /x, pathType: Exact, backend: {service: {name: web, port: {name: https}}}}, {path: /y, pathType: Exact, backend: {service: {name: nope, port: {name: https}}}}]}
  - http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: bare}
spec: {defaultBackend: {service: {name: web, port: {number: 80}}}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: c}
data: {key: "line 1\\nline\\t2\\n"}
binaryData: {bin: AAEC}
---
apiVersion: v1
kind: Secret
metadata: {name: s, labels: {a: b}}
stringData: {k: value}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: claim}
spec: {accessModes: [ReadWriteOnce], storageClassName: fast, resources: {requests: {storage: 1Gi}}, dataSource: {kind: PersistentVolumeClaim, name: other}}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: bound}
spec: {accessModes: [ReadWriteMany], volumeName: pv1, resources: {requests: {storage: 1Gi}}}
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: quota}
spec: {hard: {pods: "100", requests.cpu: "4"}, scopes: [NotTerminating, NotBestEffort]}
---
apiVersion: v1
kind: LimitRange
metadata: {name: limits}
spec: {limits: [{type: Container, max: {cpu: "2"}, min: {cpu: 10m}}]}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: sa}
secrets: [{name: s}, {name: gone}]
imagePullSecrets: [{name: s}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: role}
rules:
- {apiGroups: ["", apps], resources: [pods, deployments/scale], verbs: [get, list]}
- {apiGroups: [""], resources: [pods], verbs: [get, watch]}
- {apiGroups: [""], resources: [pods], resourceNames: [a, b], verbs: [delete]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: rb}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: role}
subjects: [{kind: User, name: jane, apiGroup: rbac.authorization.k8s.io}, {kind: ServiceAccount, name: sa, namespace: x}]
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: pdb}
spec: {minAvailable: 50%, selector: {matchLabels: {app: web}}}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: hpa}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  minReplicas: 1
  maxReplicas: 5
  metrics:
  - {type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}}
  - {type: Resource, resource: {name: memory, target: {type: AverageValue, averageValue: 100Mi}}}
  - {type: Pods, pods: {metric: {name: m}, target: {type: AverageValue, averageValue: "1"}}}
  - {type: Object, object: {metric: {name: o}, describedObject: {kind: Service, name: web, apiVersion: v1}, target: {type: Value, value: "10"}}}
  - {type: External, external: {metric: {name: e}, target: {type: AverageValue, averageValue: "3"}}}
  - {type: ContainerResource, containerResource: {name: cpu, container: main, target: {type: Utilization, averageUtilization: 60}}}
  behavior: {scaleUp: {stabilizationWindowSeconds: 0, policies: [{type: Pods, value: 4, periodSeconds: 60}]}}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: np}
spec:
  podSelector: {matchLabels: {app: web}}
  policyTypes: [Ingress, Egress]
  ingress:
  - from: [{podSelector: {matchLabels: {a: b}}, namespaceSelector: {}}, {ipBlock: {cidr: 10.0.0.0/8, except: [10.1.0.0/16]}}]
    ports: [{port: 80}, {port: 1000, endPort: 2000, protocol: UDP}]
  - {}
  egress:
  - {to: [{namespaceSelector: {matchLabels: {x: "y"}}}]}
---
apiVersion: v1
kind: Endpoints
metadata: {name: eps}
subsets: [{addresses: [{ip: 1.2.3.4}], notReadyAddresses: [{ip: 1.2.3.5}], ports: [{name: a, port: 80}, {name: b, port: 81, protocol: UDP}]}]
---
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {name: lease, labels: {a: b}}
spec: {holderIdentity: me, leaseDurationSeconds: 10}
---
apiVersion: apps/v1
kind: ControllerRevision
metadata: {name: cr}
revision: 3
data: {aURLThing: [1, [2, 3], {x: null, y: true, f: 1.5}], some-field: t, k8sName: q}
`;

/** The same, for kinds that stand outside of namespaces. */
export const DESCRIBED_CLUSTER = `apiVersion: v1
kind: Node
metadata: {name: n1, labels: {node-role.kubernetes.io/control-plane: "", kubernetes.io/role: worker}}
spec: {unschedulable: true, podCIDR: 10.1.0.0/24, podCIDRs: [10.1.0.0/24], providerID: p, taints: [{key: b, effect: NoSchedule}, {key: a, value: v, effect: NoExecute}]}
status:
  capacity: {cpu: "4", memory: 8Gi, pods: "110", ephemeral-storage: 100Gi, hugepages-2Mi: 1Gi, example.com/gpu: "2"}
  allocatable: {cpu: 3500m, memory: 7Gi, pods: "110", ephemeral-storage: 90Gi, hugepages-2Mi: 1Gi, example.com/gpu: "2"}
  addresses: [{type: InternalIP, address: 10.0.0.9}, {type: Hostname, address: n1}]
  conditions: [{type: Ready, status: "True", reason: KubeletReady, message: all fine, lastHeartbeatTime: 2020-01-01T00:00:00Z, lastTransitionTime: 2020-01-02T00:00:00Z}]
  nodeInfo: {machineID: m, systemUUID: s, bootID: b, kernelVersion: k, osImage: o, containerRuntimeVersion: c, kubeletVersion: v1, kubeProxyVersion: v1, operatingSystem: linux, architecture: amd64}
---
apiVersion: v1
kind: Node
metadata: {name: n2}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: pv1, labels: {a: b}}
spec: {capacity: {storage: 10Gi}, accessModes: [ReadWriteOnce, ReadOnlyMany], storageClassName: fast, persistentVolumeReclaimPolicy: Retain, claimRef: {namespace: x, name: nny}, csi: {driver: d, volumeHandle: h, volumeAttributes: {a: b}}, nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: k, operator: In, values: [a, b]}, {key: j, operator: Exists}]}, {matchExpressions: [{key: l, operator: NotIn, values: [a]}]}]}}}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: pv2}
spec: {capacity: {storage: 10Gi}, accessModes: [ReadWriteOncePod], scaleIO: {gateway: g, system: s, volumeName: v, secretRef: {name: x, namespace: ny}}}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: pv3}
spec: {capacity: {storage: 10Gi}, accessModes: [ReadWriteOncePod], local: {path: /l}, nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: k, operator: In, values: [a]}]}]}}}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: pv4}
spec: {capacity: {storage: 10Gi}, accessModes: [ReadWriteOncePod], rbd: {monitors: [a], image: i, secretRef: {name: x, namespace: ny}}}
---
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {name: n1, namespace: kube-node-lease}
spec: {holderIdentity: n1, renewTime: "2026-01-01T00:00:00.000000Z"}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: crole}
rules:
- {nonResourceURLs: [/metrics, /x], verbs: [get, post]}
- {apiGroups: ["*"], resources: ["*"], verbs: ["*"]}
- {apiGroups: [apps], resources: [deployments], verbs: [get]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: crb, annotations: {a: b}}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: crole}
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: high}
value: 100
description: more
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: fast, annotations: {storageclass.kubernetes.io/is-default-class: "true"}}
provisioner: p
parameters: {a: b, c: d}
mountOptions: [x, "y"]
volumeBindingMode: WaitForFirstConsumer
allowedTopologies: [{matchLabelExpressions: [{key: k, values: [a, b]}, {key: l, values: [c]}]}]
---
apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: {name: nginx}
spec: {controller: c/d, parameters: {apiGroup: g, kind: K, name: nn, scope: Cluster}}
---
apiVersion: storage.k8s.io/v1
kind: CSINode
metadata: {name: n1}
spec: {drivers: [{name: d, nodeID: i, topologyKeys: [a, b], allocatable: {count: 3}}]}
`;
