import { forbidden, invalid, required, type FieldError } from '../../errors/field-error.ts';
import type { FieldPath } from '../../errors/field-path.ts';
import { numberAt, objectAt, textAt } from '../../meta/fields.ts';
import { dnsLabelProblems, dnsSubdomainProblems } from '../../meta/names.ts';
import type { JsonObject } from '../../meta/object.ts';
import { FORMATS } from '../../schema/rules/formats.ts';
import type { TypeCheck, TypeChecks } from '../../schema/rules/rule-book.ts';
import { addProblems, forgetBelow } from '../problems.ts';
import { flexVolumeCheck } from '../flex-volume.ts';

/** What a volume can be, in the order in which the first that is set counts. */
export const SOURCES = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'flocker',
  'nfs',
  'rbd',
  'quobyte',
  'cephfs',
  'iscsi',
  'cinder',
  'fc',
  'flexVolume',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'scaleIO',
  'local',
  'storageos',
  'csi',
] as const;

/** How clients know a source from errors about a second one. */
const TOLD_AS: Readonly<Record<string, string>> = { cephfs: 'cephFS' };
/** The source that no error tells of, however many others there are. */
const NEVER_SECOND = 'flexVolume';

/** A volume has one source. What is wrong with a second one is of no interest. */
export function checkOneSource(spec: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const [first, ...others] = SOURCES.filter((source) => objectAt(spec, source) !== undefined);
  if (first === undefined) errors.push(required(at, 'must say where the volume is'));
  const refused = others.filter((source) => source !== NEVER_SECOND);
  forgetBelow(errors, new Set(refused.map((source) => String(at.child(source)))));
  for (const source of refused)
    errors.push(forbidden(at.child(TOLD_AS[source] ?? source), `may not be set together with ${first}`));
  const disk = objectAt(spec, 'gcePersistentDisk');
  // Clients know this source by another name.
  if (disk !== undefined && first === 'gcePersistentDisk')
    checkDisk(disk, at.child('persistentDisk'), errors);
}

const MAX_PARTITION = 255;

function checkDisk(disk: JsonObject, at: FieldPath, errors: FieldError[]): void {
  if (textAt(disk, 'pdName') === '') errors.push(required(at.child('pdName')));
  const partition = numberAt(disk, 'partition');
  if (partition < 0 || partition > MAX_PARTITION)
    errors.push(invalid(at.child('partition'), partition, `must be from 0 to ${MAX_PARTITION}`));
}

/** A volume's name and the address of its disk become one name on the node. */
const LONGEST_ISCSI = 64;

const iscsi: TypeCheck = (source, at, { root, errors }) => {
  const initiator = source['initiatorName'];
  const portal = textAt(source, 'targetPortal');
  const name = root.kind === 'PersistentVolume' ? (root.metadata.name ?? '') : '';
  if (typeof initiator === 'string') {
    if (`${name}:${portal}`.length > LONGEST_ISCSI)
      errors.push(
        invalid(at.child('targetportal'), portal, 'is too long together with the name of the volume'),
      );
    addProblems(errors, at.child('initiatorname'), initiator, FORMATS.iscsiName(initiator));
  }
  const secret = objectAt(source, 'secretRef');
  const asksForSecret = source['chapAuthDiscovery'] === true || source['chapAuthSession'] === true;
  if (asksForSecret && secret === undefined) errors.push(required(at.child('secretRef')));
  if (secret !== undefined && textAt(secret, 'name') === '')
    errors.push(required(at.child('secretRef').child('name')));
};

/** A source whose secret, if it has one, is named with its namespace. */
const secretOfNamespace: TypeCheck = (source, at, { errors }) => {
  const secret = objectAt(source, 'secretRef');
  if (secret === undefined) return;
  for (const field of ['name', 'namespace'])
    if (textAt(secret, field) === '') errors.push(required(at.child('secretRef').child(field)));
};

const glusterfs: TypeCheck = ({ endpointsNamespace }, at, { errors }) => {
  if (typeof endpointsNamespace !== 'string') return;
  addProblems(
    errors,
    at.child('endpointsNamespace'),
    endpointsNamespace,
    dnsLabelProblems(endpointsNamespace),
  );
};

const azureFile: TypeCheck = ({ secretNamespace }, at, { errors }) => {
  if (secretNamespace === '') errors.push(required(at.child('secretNamespace')));
};

const CSI_SECRETS = [
  'controllerPublishSecretRef',
  'controllerExpandSecretRef',
  'nodePublishSecretRef',
  'nodeExpandSecretRef',
];

const csi: TypeCheck = (source, at, { errors }) => {
  for (const field of CSI_SECRETS) {
    const secret = objectAt(source, field);
    if (secret !== undefined) checkSecret(secret, at.child(field), errors);
  }
};

function checkSecret(secret: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const name = textAt(secret, 'name');
  if (name === '') errors.push(required(at.child('name')));
  else addProblems(errors, at.child('name'), name, dnsSubdomainProblems(name));
  const namespace = textAt(secret, 'namespace');
  if (namespace === '') errors.push(required(at.child('namespace')));
  else addProblems(errors, at.child('namespace'), namespace, dnsLabelProblems(namespace));
}

/** Rules of the sources that only PersistentVolumes have. @param reserved domains of the system. */
export function sourceChecks(reserved: readonly string[]): TypeChecks {
  return {
    'core.AzureFilePersistentVolumeSource': azureFile,
    'core.CSIPersistentVolumeSource': csi,
    'core.CinderPersistentVolumeSource': secretOfNamespace,
    'core.FlexPersistentVolumeSource': flexVolumeCheck(reserved),
    'core.GlusterfsPersistentVolumeSource': glusterfs,
    'core.ISCSIPersistentVolumeSource': iscsi,
    'core.StorageOSPersistentVolumeSource': secretOfNamespace,
  };
}
