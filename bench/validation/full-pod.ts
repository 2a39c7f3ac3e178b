/**
 * A pod that says all that pods can say, as far as that goes together: every kind of volume, probe, source of environment
 * variables and affinity, with security contexts, limits and gates.
 */
export const FULL_POD = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'full',
    namespace: 'default',
    labels: { app: 'full', 'example.com/tier': 'back' },
    annotations: { 'example.com/note': 'all of it' },
    ownerReferences: [
      {
        apiVersion: 'apps/v1',
        kind: 'ReplicaSet',
        name: 'full',
        uid: '2c8a7a0e-5a1c-4c53-9d0b-0f6f4b1f4a11',
        controller: true,
        blockOwnerDeletion: true,
      },
    ],
    finalizers: ['example.com/finalizer'],
  },
  spec: {
    initContainers: [
      container('init', []),
      { ...container('sidecar', probes(8081)), restartPolicy: 'Always' },
    ],
    containers: [container('main', probes(8080)), container('side', probes(8082))],
    volumes: volumes(),
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    activeDeadlineSeconds: 600,
    dnsPolicy: 'None',
    dnsConfig: {
      nameservers: ['10.0.0.10', 'fd00::10'],
      searches: ['svc.cluster.local', 'cluster.local'],
      options: [{ name: 'ndots', value: '5' }, { name: 'edns0' }],
    },
    nodeSelector: { 'example.com/disk': 'ssd', zone: 'a' },
    serviceAccountName: 'default',
    automountServiceAccountToken: false,
    hostIPC: false,
    hostPID: false,
    shareProcessNamespace: false,
    hostUsers: true,
    securityContext: {
      runAsUser: 1000,
      runAsGroup: 1000,
      runAsNonRoot: true,
      fsGroup: 2000,
      fsGroupChangePolicy: 'OnRootMismatch',
      supplementalGroups: [1, 2, 3],
      supplementalGroupsPolicy: 'Merge',
      sysctls: [
        { name: 'kernel.shm_rmid_forced', value: '1' },
        { name: 'net.ipv4.ip_local_port_range', value: '1024 65535' },
      ],
      seLinuxOptions: { level: 's0:c1,c2', role: 'r', type: 't', user: 'u' },
      seccompProfile: { type: 'Localhost', localhostProfile: 'profiles/audit.json' },
      appArmorProfile: { type: 'RuntimeDefault' },
    },
    imagePullSecrets: [{ name: 'registry' }],
    hostname: 'full',
    subdomain: 'pods',
    setHostnameAsFQDN: true,
    affinity: affinity(),
    schedulerName: 'default-scheduler',
    tolerations: [
      { key: 'example.com/dedicated', operator: 'Equal', value: 'db', effect: 'NoSchedule' },
      { key: 'example.com/gone', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 60 },
      { operator: 'Exists' },
    ],
    hostAliases: [{ ip: '10.1.2.3', hostnames: ['a.example.com', 'b.example.com'] }],
    priorityClassName: 'high',
    priority: 1000,
    preemptionPolicy: 'Never',
    runtimeClassName: 'sandbox',
    overhead: { cpu: '10m', memory: '16Mi' },
    enableServiceLinks: true,
    readinessGates: [{ conditionType: 'example.com/ready' }],
    schedulingGates: [{ name: 'example.com/quota' }],
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'zone',
        whenUnsatisfiable: 'DoNotSchedule',
        labelSelector: { matchLabels: { app: 'full' } },
        matchLabelKeys: ['pod-template-hash'],
        minDomains: 2,
        nodeAffinityPolicy: 'Honor',
        nodeTaintsPolicy: 'Ignore',
      },
      {
        maxSkew: 2,
        topologyKey: 'host',
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['full', 'other'] }] },
      },
    ],
    os: { name: 'linux' },
  },
};

function container(name: string, probed: readonly (readonly [string, object])[]) {
  return {
    name,
    image: `registry.example.com/team/${name}:1.2.3`,
    imagePullPolicy: 'IfNotPresent',
    command: ['/bin/app'],
    args: ['--verbose', '--config=/etc/app/config.yaml'],
    workingDir: '/srv',
    ports: [
      { name: 'http', containerPort: 8080, protocol: 'TCP' },
      { name: 'dns', containerPort: 53, protocol: 'UDP' },
      { name: 'sctp', containerPort: 132, protocol: 'SCTP' },
    ],
    env: [
      { name: 'LOG_LEVEL', value: 'info' },
      { name: 'POD_NAME', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } },
      { name: 'POD_IP', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'status.podIP' } } },
      { name: 'APP', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: "metadata.labels['app']" } } },
      {
        name: 'CPU',
        valueFrom: { resourceFieldRef: { containerName: name, resource: 'limits.cpu', divisor: '1m' } },
      },
      { name: 'MODE', valueFrom: { configMapKeyRef: { name: 'settings', key: 'mode', optional: true } } },
      { name: 'PASSWORD', valueFrom: { secretKeyRef: { name: 'credentials', key: 'password' } } },
    ],
    envFrom: [
      { prefix: 'CONFIG_', configMapRef: { name: 'settings', optional: true } },
      { secretRef: { name: 'credentials' } },
    ],
    resources: {
      requests: { cpu: '100m', memory: '128Mi', 'ephemeral-storage': '1Gi', 'example.com/gpu': '1' },
      limits: { cpu: '1', memory: '1Gi', 'ephemeral-storage': '2Gi', 'example.com/gpu': '1' },
    },
    volumeMounts: [
      { name: 'empty', mountPath: '/tmp' },
      { name: 'config', mountPath: '/etc/app', readOnly: true, recursiveReadOnly: 'IfPossible' },
      { name: 'secret', mountPath: '/etc/secret', subPath: 'app', readOnly: true },
      { name: 'projected', mountPath: '/var/run/projected', subPathExpr: '$(POD_NAME)' },
      { name: 'claim', mountPath: '/data', mountPropagation: 'HostToContainer' },
    ],
    volumeDevices: [{ name: 'block', devicePath: '/dev/block' }],
    ...Object.fromEntries(probed),
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'FallbackToLogsOnError',
    securityContext: {
      runAsUser: 1001,
      runAsGroup: 1001,
      runAsNonRoot: true,
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      privileged: false,
      procMount: 'Default',
      capabilities: { add: ['NET_BIND_SERVICE'], drop: ['ALL'] },
      seLinuxOptions: { level: 's0' },
      seccompProfile: { type: 'RuntimeDefault' },
      appArmorProfile: { type: 'Localhost', localhostProfile: 'app' },
    },
    stdin: true,
    stdinOnce: true,
    tty: true,
  };
}

function probes(port: number): (readonly [string, object])[] {
  const times = { timeoutSeconds: 2, periodSeconds: 5, successThreshold: 1, failureThreshold: 3 };
  const httpHeaders = [{ name: 'X-Probe', value: 'yes' }];
  const httpGet = { path: '/healthz', port, scheme: 'HTTP', host: '127.0.0.1', httpHeaders };
  return [
    ['livenessProbe', { httpGet, initialDelaySeconds: 5, terminationGracePeriodSeconds: 10, ...times }],
    ['readinessProbe', { tcpSocket: { port: 'http' }, initialDelaySeconds: 1, ...times }],
    ['startupProbe', { grpc: { port, service: 'health' }, ...times }],
    ['lifecycle', { postStart: { exec: { command: ['/bin/true'] } }, preStop: { sleep: { seconds: 5 } } }],
  ];
}

function volumes(): object[] {
  const secretRef = { name: 'storage' };
  const items = [{ key: 'a', path: 'dir/a', mode: 0o400 }];
  const field = { path: 'labels', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.labels' } };
  const cpu = {
    path: 'cpu',
    resourceFieldRef: { containerName: 'main', resource: 'limits.cpu', divisor: '1' },
  };
  return [
    { name: 'empty', emptyDir: { medium: 'Memory', sizeLimit: '64Mi' } },
    { name: 'host', hostPath: { path: '/var/log', type: 'Directory' } },
    { name: 'config', configMap: { name: 'settings', items, defaultMode: 0o644, optional: true } },
    { name: 'secret', secret: { secretName: 'credentials', items, defaultMode: 0o600, optional: false } },
    { name: 'downward', downwardAPI: { items: [field, cpu], defaultMode: 0o644 } },
    {
      name: 'projected',
      projected: {
        defaultMode: 0o644,
        sources: [
          { configMap: { name: 'settings', items } },
          { secret: { name: 'credentials' } },
          { downwardAPI: { items: [{ ...field, path: 'more/labels' }] } },
          { serviceAccountToken: { audience: 'api', expirationSeconds: 3600, path: 'token' } },
        ],
      },
    },
    { name: 'claim', persistentVolumeClaim: { claimName: 'data', readOnly: false } },
    { name: 'block', persistentVolumeClaim: { claimName: 'block' } },
    {
      name: 'own',
      ephemeral: {
        volumeClaimTemplate: {
          metadata: { labels: { app: 'full' } },
          spec: {
            accessModes: ['ReadWriteOnce'],
            resources: { requests: { storage: '1Gi' } },
            storageClassName: 'fast',
            volumeMode: 'Filesystem',
          },
        },
      },
    },
    { name: 'csi', csi: { driver: 'csi.example.com', fsType: 'ext4', volumeAttributes: { a: 'b' } } },
    { name: 'nfs', nfs: { server: 'nfs.example.com', path: '/export', readOnly: true } },
    {
      name: 'iscsi',
      iscsi: {
        targetPortal: '10.0.0.1:3260',
        iqn: 'iqn.2001-04.com.example:storage.disk1',
        lun: 0,
        fsType: 'ext4',
        chapAuthSession: true,
        secretRef,
      },
    },
    { name: 'fc', fc: { targetWWNs: ['500a0982991b8dc5'], lun: 2, fsType: 'ext4' } },
    {
      name: 'rbd',
      rbd: {
        monitors: ['10.0.0.2:6789'],
        image: 'image',
        pool: 'rbd',
        user: 'admin',
        keyring: '/k',
        secretRef,
      },
    },
    { name: 'cephfs', cephfs: { monitors: ['10.0.0.2:6789'], path: '/', user: 'admin', secretRef } },
    { name: 'glusterfs', glusterfs: { endpoints: 'gluster', path: 'volume' } },
    { name: 'ebs', awsElasticBlockStore: { volumeID: 'vol-1', fsType: 'ext4', partition: 1 } },
    { name: 'gce', gcePersistentDisk: { pdName: 'disk', fsType: 'ext4', partition: 1 } },
    { name: 'azure', azureFile: { secretName: 'azure', shareName: 'share' } },
    {
      name: 'azuredisk',
      azureDisk: { diskName: 'd', diskURI: '/subscriptions/d', kind: 'Managed', cachingMode: 'ReadOnly' },
    },
    { name: 'cinder', cinder: { volumeID: 'c', fsType: 'ext4' } },
    { name: 'vsphere', vsphereVolume: { volumePath: '[d] v.vmdk', fsType: 'ext4' } },
    { name: 'portworx', portworxVolume: { volumeID: 'p', fsType: 'ext4' } },
    { name: 'flocker', flocker: { datasetName: 'f' } },
    { name: 'quobyte', quobyte: { registry: 'q:7861', volume: 'v' } },
    {
      name: 'scaleio',
      scaleIO: {
        gateway: 'https://s',
        system: 's',
        secretRef,
        volumeName: 'v',
        storageMode: 'ThinProvisioned',
      },
    },
    { name: 'storageos', storageos: { volumeName: 's', volumeNamespace: 'n', secretRef } },
    { name: 'flex', flexVolume: { driver: 'example.com/flex', fsType: 'ext4', options: { a: 'b' } } },
    { name: 'git', gitRepo: { repository: 'https://git.example.com/a', directory: 'a', revision: 'main' } },
  ];
}

function affinity(): object {
  const inZones = { key: 'zone', operator: 'In', values: ['a', 'b'] };
  const labelSelector = {
    matchLabels: { app: 'full' },
    matchExpressions: [{ key: 'tier', operator: 'Exists' }],
  };
  const term = {
    labelSelector,
    namespaces: ['default', 'other'],
    topologyKey: 'zone',
    namespaceSelector: { matchLabels: { team: 'a' } },
    matchLabelKeys: ['pod-template-hash'],
  };
  const pods = {
    requiredDuringSchedulingIgnoredDuringExecution: [term],
    preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 50, podAffinityTerm: term }],
  };
  return {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [
          {
            matchExpressions: [inZones, { key: 'cores', operator: 'Gt', values: ['4'] }],
            matchFields: [{ key: 'metadata.name', operator: 'NotIn', values: ['bad'] }],
          },
        ],
      },
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 10, preference: { matchExpressions: [inZones] } },
      ],
    },
    podAffinity: pods,
    podAntiAffinity: pods,
  };
}
