import { forbidden, invalid, notSupported, required, type FieldError } from '../../../errors/field-error.ts';
import type { FieldPath } from '../../../errors/field-path.ts';
import { objectAt, numberAt, sizeOf, textAt } from '../../../meta/fields.ts';
import { dnsSubdomainProblems } from '../../../meta/names.ts';
import type { JsonObject } from '../../../meta/object.ts';
import { FORMATS } from '../../../schema/rules/formats.ts';
import type { TypeCheck, TypeChecks } from '../../../schema/rules/rule-book.ts';
import { checkDownwardFile } from './env.ts';
import { itemsOf } from './container-lists.ts';
import { projectedCheck } from './projected.ts';
import { checkFilePath } from './volume-file.ts';
import { flexVolumeCheck } from '../../flex-volume.ts';
import { forgetBelow, lastErrorsOf } from '../../problems.ts';

/** What a volume can be, in the order in which the first that is set counts. */
const SOURCES = [
  'emptyDir',
  'hostPath',
  'gitRepo',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'secret',
  'nfs',
  'iscsi',
  'glusterfs',
  'flocker',
  'persistentVolumeClaim',
  'rbd',
  'cinder',
  'cephfs',
  'quobyte',
  'downwardAPI',
  'fc',
  'flexVolume',
  'configMap',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'storageos',
  'projected',
  'scaleIO',
  'csi',
  'ephemeral',
  'image',
];
const RANKS: ReadonlyMap<string, number> = new Map(SOURCES.map((source, i) => [source, i]));
/** How clients know some sources from errors about a second one. */
const TOLD_AS: Readonly<Record<string, string>> = { cephfs: 'cephFS', downwardAPI: 'downwarAPI' };
/** A volume's name and the address of its disk become one name on the node. */
const LONGEST_ISCSI = 64;

/** A volume is one thing. What is wrong with a second one is of no interest. */
const volumeCheck: TypeCheck = (volume, at, { errors }) => {
  const [first, ...others] = sourcesOf(volume);
  if (first === undefined) errors.push(required(at, 'must say what the volume is'));
  if (others.length > 0) {
    const refused = new Set(others.map((source) => String(at.child(source))));
    forgetBelow(errors, refused, { from: lastErrorsOf(errors, at) });
  }
  for (const source of others)
    errors.push(forbidden(at.child(TOLD_AS[source] ?? source), `may not be set together with ${first}`));
  const disk = objectAt(volume, 'gcePersistentDisk');
  if (disk !== undefined && first === 'gcePersistentDisk')
    checkDisk(disk, at.child('persistentDisk'), errors);
  const iscsi = objectAt(volume, 'iscsi');
  const label = `${textAt(volume, 'name')}:${textAt(iscsi, 'targetPortal')}`;
  if (iscsi?.['initiatorName'] != null && label.length > LONGEST_ISCSI)
    errors.push(invalid(at.child('name'), volume['name'], 'is too long together with iscsi.targetPortal'));
};

/** Those that are set, in their order. A volume has few fields, and there are many sources. */
function sourcesOf(volume: JsonObject): string[] {
  const set: string[] = [];
  for (const field in volume) if (volume[field] != null && RANKS.has(field)) set.push(field);
  return set.length < 2 ? set : set.sort((a, b) => (RANKS.get(a) ?? 0) - (RANKS.get(b) ?? 0));
}

function checkDisk(disk: JsonObject, at: FieldPath, errors: FieldError[]): void {
  if (textAt(disk, 'pdName') === '') errors.push(required(at.child('pdName')));
  const partition = numberAt(disk, 'partition');
  if (partition < 0 || partition > 255)
    errors.push(invalid(at.child('partition'), partition, 'must be between 0 and 255, inclusive'));
}

const emptyDirCheck: TypeCheck = (source, at, { errors }) => {
  if (textAt(source, 'sizeLimit').startsWith('-'))
    errors.push(forbidden(at.child('sizeLimit'), 'must not be negative'));
};

const iscsiCheck: TypeCheck = (source, at, { errors }) => {
  const asksForSecret = source['chapAuthDiscovery'] === true || source['chapAuthSession'] === true;
  if (asksForSecret && source['secretRef'] == null) errors.push(required(at.child('secretRef')));
  const initiator = source['initiatorName'];
  if (typeof initiator !== 'string') return;
  for (const problem of FORMATS.iscsiName(initiator))
    errors.push(invalid(at.child('initiatorname'), initiator, problem));
};

const fibreChannelCheck: TypeCheck = (source, at, { errors }) => {
  const hasTargets = sizeOf(source['targetWWNs']) > 0;
  const hasIds = sizeOf(source['wwids']) > 0;
  if (!hasTargets && !hasIds) errors.push(required(at.child('targetWWNs'), 'or wwids must be set'));
  if (!hasTargets) return;
  if (hasIds)
    errors.push(invalid(at.child('targetWWNs'), source['targetWWNs'], 'may not be set together with wwids'));
  const lun = source['lun'];
  if (typeof lun !== 'number') errors.push(required(at.child('lun'), 'targetWWNs is set'));
  else if (lun < 0 || lun > 255)
    errors.push(invalid(at.child('lun'), lun, 'must be between 0 and 255, inclusive'));
};

const flockerCheck: TypeCheck = (source, at, { errors }) => {
  const name = textAt(source, 'datasetName');
  const hasId = textAt(source, 'datasetUUID') !== '';
  if (name === '' && !hasId) errors.push(required(at, 'must have datasetName or datasetUUID'));
  if (name !== '' && hasId) errors.push(invalid(at, name, 'may not have both datasetName and datasetUUID'));
  if (name.includes('/')) errors.push(invalid(at.child('datasetName'), name, "must not contain '/'"));
};

const LONGEST_TENANT = 64;
const HOST_AND_PORT = /^(\[[^\]]*\]|[^:[\]]*):[^:]*$/;

const quobyteCheck: TypeCheck = (source, at, { errors }) => {
  const registry = textAt(source, 'registry');
  const rule = 'must be host:port pairs, separated by commas';
  if (registry === '') errors.push(required(at.child('registry'), rule));
  else if (textAt(source, 'tenant').length > LONGEST_TENANT)
    errors.push(required(at.child('tenant'), `must have no more than ${LONGEST_TENANT} characters`));
  else if (!registry.split(',').every((pair) => HOST_AND_PORT.test(pair)))
    errors.push(invalid(at.child('registry'), registry, rule));
};

const azureDiskCheck: TypeCheck = (source, at, { errors }) => {
  const kind = source['kind'];
  const uri = textAt(source, 'diskURI');
  if (typeof kind !== 'string') return;
  const begin = kind === 'Managed' ? '/subscriptions/' : 'https://';
  if (!uri.startsWith(begin)) errors.push(notSupported(at.child('diskURI'), uri, [`${begin}…`]));
};

/** A source whose secret, if it names one, has a name. */
const secretNameCheck: TypeCheck = (source, at, { errors }) => {
  const secret = objectAt(source, 'secretRef');
  if (secret !== undefined && textAt(secret, 'name') === '')
    errors.push(required(at.child('secretRef').child('name')));
};

const csiCheck: TypeCheck = (source, at, { errors }) => {
  const secret = objectAt(source, 'nodePublishSecretRef');
  if (secret === undefined) return;
  const name = textAt(secret, 'name');
  if (name === '') errors.push(required(at.child('nodePublishSecretRef').child('name')));
  else
    for (const problem of dnsSubdomainProblems(name)) errors.push(invalid(at.child('name'), name, problem));
};

/** What is wrong with a file is told at its volume: that is where the reference has it. */
const downwardCheck: TypeCheck = (source, at, { errors }) => {
  for (const file of itemsOf(source['items'])) {
    checkFilePath(file, at, errors);
    checkDownwardFile(file, at, errors);
  }
};

/** The rules of volumes across their fields. @param reserved domains of the system. */
export function volumeChecks(reserved: readonly string[]): TypeChecks {
  return {
    'core.AzureDiskVolumeSource': azureDiskCheck,
    'core.CSIVolumeSource': csiCheck,
    'core.CinderVolumeSource': secretNameCheck,
    'core.DownwardAPIVolumeSource': downwardCheck,
    'core.EmptyDirVolumeSource': emptyDirCheck,
    'core.FCVolumeSource': fibreChannelCheck,
    'core.FlexVolumeSource': flexVolumeCheck(reserved),
    'core.FlockerVolumeSource': flockerCheck,
    'core.ISCSIVolumeSource': iscsiCheck,
    'core.ProjectedVolumeSource': projectedCheck,
    'core.QuobyteVolumeSource': quobyteCheck,
    'core.StorageOSVolumeSource': secretNameCheck,
    'core.Volume': volumeCheck,
  };
}
