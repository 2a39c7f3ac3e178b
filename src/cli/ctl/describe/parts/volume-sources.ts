/**
 * How a field is shown. Where it is absent: '' for `text`, 0 for `number`, false for `switch`, <none> for `some` and
 * <unset> for `set`. Lists and maps are shown as Go prints them, or joined; secrets as Go prints references to them.
 */
export type SourceForm =
  'text' | 'number' | 'switch' | 'some' | 'set' | 'joined' | 'list' | 'map' | 'secret' | 'spaced-secret';

export interface SourceRow {
  /** With its colon. */
  readonly label: string;
  /** A path of fields between dots. */
  readonly field: string;
  readonly form: SourceForm;
}

/** A kind of volume. */
export interface VolumeSource {
  readonly title: string;
  readonly rows: readonly SourceRow[];
  /** What comes below that no row can say. */
  readonly more?: 'items' | 'claim' | 'projections' | 'attributes';
}

const row = (label: string, field: string, form: SourceForm = 'text'): SourceRow => ({
  label: `${label}:`,
  field,
  form,
});

const FS_TYPE = row('FSType', 'fsType');
const READ_ONLY = row('ReadOnly', 'readOnly', 'switch');
const PARTITION = row('Partition', 'partition', 'number');
const VOLUME_ID = row('VolumeID', 'volumeID');
const SECRET = row('SecretRef', 'secretRef', 'secret');
const SPACED_SECRET = row('SecretRef', 'secretRef', 'spaced-secret');

const ISCSI =
  "ISCSI (an ISCSI Disk resource that is attached to a kubelet's host machine and then exposed to the pod)";
const RBD = "RBD (a Rados Block Device mount on the host that shares a pod's lifetime)";
const GLUSTERFS = "Glusterfs (a Glusterfs mount on the host that shares a pod's lifetime)";
const CEPHFS = "CephFS (a CephFS mount on the host that shares a pod's lifetime)";
const CINDER = 'Cinder (a Persistent Disk resource in OpenStack)';
const SCALE_IO = 'ScaleIO (a persistent volume backed by a block device in ScaleIO)';
const AZURE_FILE = 'AzureFile (an Azure File Service mount on the host and bind mount to the pod)';
const FLEX = 'FlexVolume (a generic volume resource that is provisioned/attached using an exec based plugin)';
const CSI = 'CSI (a Container Storage Interface (CSI) volume source)';
const STORAGE_OS = 'StorageOS (a StorageOS Persistent Disk resource)';

const iscsi = (secret: SourceRow): VolumeSource => ({
  title: ISCSI,
  rows: [
    row('TargetPortal', 'targetPortal'),
    row('IQN', 'iqn'),
    row('Lun', 'lun', 'number'),
    { label: 'ISCSIInterface', field: 'iscsiInterface', form: 'text' },
    FS_TYPE,
    READ_ONLY,
    row('Portals', 'portals', 'list'),
    row('DiscoveryCHAPAuth', 'chapAuthDiscovery', 'switch'),
    row('SessionCHAPAuth', 'chapAuthSession', 'switch'),
    secret,
    row('InitiatorName', 'initiatorName', 'some'),
  ],
});
const rbd = (secret: SourceRow): VolumeSource => ({
  title: RBD,
  rows: [
    row('CephMonitors', 'monitors', 'list'),
    row('RBDImage', 'image'),
    FS_TYPE,
    row('RBDPool', 'pool'),
    row('RadosUser', 'user'),
    row('Keyring', 'keyring'),
    secret,
    READ_ONLY,
  ],
});
const cephfs = (secret: SourceRow): VolumeSource => ({
  title: CEPHFS,
  rows: [
    row('Monitors', 'monitors', 'list'),
    row('Path', 'path'),
    row('User', 'user'),
    row('SecretFile', 'secretFile'),
    secret,
    READ_ONLY,
  ],
});
const flex = (secret: SourceRow): VolumeSource => ({
  title: FLEX,
  rows: [row('Driver', 'driver'), FS_TYPE, secret, READ_ONLY, row('Options', 'options', 'map')],
});
const scaleIO = (secrets: readonly SourceRow[]): VolumeSource => ({
  title: SCALE_IO,
  rows: [
    row('Gateway', 'gateway'),
    row('System', 'system'),
    row('Protection Domain', 'protectionDomain'),
    row('Storage Pool', 'storagePool'),
    row('Storage Mode', 'storageMode'),
    row('VolumeName', 'volumeName'),
    ...secrets,
    FS_TYPE,
    READ_ONLY,
  ],
});

/** Kinds of volumes that pods and persistent volumes have alike, by the field that holds them. */
const SHARED: Readonly<Record<string, VolumeSource>> = {
  hostPath: {
    title: 'HostPath (bare host directory volume)',
    rows: [row('Path', 'path'), row('HostPathType', 'type', 'some')],
  },
  gcePersistentDisk: {
    title: 'GCEPersistentDisk (a Persistent Disk resource in Google Compute Engine)',
    rows: [row('PDName', 'pdName'), FS_TYPE, PARTITION, READ_ONLY],
  },
  awsElasticBlockStore: {
    title: 'AWSElasticBlockStore (a Persistent Disk resource in AWS)',
    rows: [VOLUME_ID, FS_TYPE, PARTITION, READ_ONLY],
  },
  nfs: {
    title: 'NFS (an NFS mount that lasts the lifetime of a pod)',
    rows: [row('Server', 'server'), row('Path', 'path'), READ_ONLY],
  },
  quobyte: {
    title: "Quobyte (a Quobyte mount on the host that shares a pod's lifetime)",
    rows: [row('Registry', 'registry'), row('Volume', 'volume'), READ_ONLY],
  },
  azureDisk: {
    title: 'AzureDisk (an Azure Data Disk mount on the host and bind mount to the pod)',
    rows: [
      row('DiskName', 'diskName'),
      row('DiskURI', 'diskURI'),
      { label: 'Kind: ', field: 'kind', form: 'text' },
      FS_TYPE,
      row('CachingMode', 'cachingMode'),
      READ_ONLY,
    ],
  },
  vsphereVolume: {
    title: 'vSphereVolume (a Persistent Disk resource in vSphere)',
    rows: [row('VolumePath', 'volumePath'), FS_TYPE, row('StoragePolicyName', 'storagePolicyName')],
  },
  photonPersistentDisk: {
    title: 'PhotonPersistentDisk (a Persistent Disk resource in photon platform)',
    rows: [row('PdID', 'pdID'), FS_TYPE],
  },
  portworxVolume: { title: 'PortworxVolume (a Portworx Volume resource)', rows: [VOLUME_ID] },
  storageos: {
    title: STORAGE_OS,
    rows: [row('VolumeName', 'volumeName'), row('VolumeNamespace', 'volumeNamespace'), FS_TYPE, READ_ONLY],
  },
  fc: {
    title: 'FC (a Fibre Channel disk)',
    rows: [row('TargetWWNs', 'targetWWNs', 'joined'), row('LUN', 'lun', 'some'), FS_TYPE, READ_ONLY],
  },
  flocker: {
    title: 'Flocker (a Flocker volume mounted by the Flocker agent)',
    rows: [row('DatasetName', 'datasetName'), row('DatasetUUID', 'datasetUUID')],
  },
};

/** Kinds of volumes of pods. */
export const POD_VOLUMES: Readonly<Record<string, VolumeSource>> = {
  ...SHARED,
  emptyDir: {
    title: "EmptyDir (a temporary directory that shares a pod's lifetime)",
    rows: [row('Medium', 'medium'), row('SizeLimit', 'sizeLimit', 'set')],
  },
  gitRepo: {
    title: 'GitRepo (a volume that is pulled from git when the pod is created)',
    rows: [row('Repository', 'repository'), row('Revision', 'revision')],
  },
  secret: {
    title: 'Secret (a volume populated by a Secret)',
    rows: [row('SecretName', 'secretName'), row('Optional', 'optional', 'switch')],
  },
  configMap: {
    title: 'ConfigMap (a volume populated by a ConfigMap)',
    rows: [row('Name', 'name'), row('Optional', 'optional', 'switch')],
  },
  persistentVolumeClaim: {
    title: 'PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)',
    rows: [row('ClaimName', 'claimName'), READ_ONLY],
  },
  ephemeral: {
    title:
      'EphemeralVolume (an inline specification for a volume that gets created and deleted with the pod)',
    rows: [],
    more: 'claim',
  },
  downwardAPI: {
    title: 'DownwardAPI (a volume populated by information about the pod)',
    rows: [],
    more: 'items',
  },
  projected: {
    title: 'Projected (a volume that contains injected data from multiple sources)',
    rows: [],
    more: 'projections',
  },
  csi: { title: CSI, rows: [row('Driver', 'driver'), FS_TYPE, READ_ONLY], more: 'attributes' },
  image: {
    title: 'Image (a container image or OCI artifact)',
    rows: [row('Reference', 'reference'), row('PullPolicy', 'pullPolicy')],
  },
  glusterfs: {
    title: GLUSTERFS,
    rows: [row('EndpointsName', 'endpoints'), row('Path', 'path'), READ_ONLY],
  },
  azureFile: {
    title: AZURE_FILE,
    rows: [row('SecretName', 'secretName'), row('ShareName', 'shareName'), READ_ONLY],
  },
  cinder: { title: CINDER, rows: [VOLUME_ID, FS_TYPE, READ_ONLY, SECRET] },
  iscsi: iscsi(SECRET),
  rbd: rbd(SECRET),
  cephfs: cephfs(SECRET),
  flexVolume: flex(SECRET),
  scaleIO: scaleIO([]),
};

/** Kinds of persistent volumes, whose secrets may stand in other namespaces. */
export const PERSISTENT_VOLUMES: Readonly<Record<string, VolumeSource>> = {
  ...SHARED,
  local: {
    title: 'LocalVolume (a persistent volume backed by local storage on a node)',
    rows: [row('Path', 'path')],
  },
  csi: {
    title: CSI,
    rows: [row('Driver', 'driver'), FS_TYPE, row('VolumeHandle', 'volumeHandle'), READ_ONLY],
    more: 'attributes',
  },
  glusterfs: {
    title: GLUSTERFS,
    rows: [
      row('EndpointsName', 'endpoints'),
      row('EndpointsNamespace', 'endpointsNamespace', 'set'),
      row('Path', 'path'),
      READ_ONLY,
    ],
  },
  azureFile: {
    title: AZURE_FILE,
    rows: [
      row('SecretName', 'secretName'),
      row('SecretNamespace', 'secretNamespace'),
      row('ShareName', 'shareName'),
      READ_ONLY,
    ],
  },
  cinder: { title: CINDER, rows: [VOLUME_ID, FS_TYPE, READ_ONLY, SPACED_SECRET] },
  iscsi: iscsi(SPACED_SECRET),
  rbd: rbd(SPACED_SECRET),
  cephfs: cephfs(SPACED_SECRET),
  flexVolume: flex(SPACED_SECRET),
  scaleIO: scaleIO([row('SecretName', 'secretRef.name'), row('SecretNamespace', 'secretRef.namespace')]),
};
