import { forbidden, invalid, required, type FieldError } from '../../../errors/field-error.ts';
import { FieldPath } from '../../../errors/field-path.ts';
import { objectAt, sizeOf, textAt } from '../../../meta/fields.ts';
import { dnsSubdomainProblems } from '../../../meta/names.ts';
import type { JsonObject } from '../../../meta/object.ts';
import type { TypeCheck } from '../../../schema/rules/rule-book.ts';
import type { PodAnnotations } from './annotations.ts';
import { itemsOf, placedIn } from './container-lists.ts';
import { checkImage } from './image.ts';
import { checkAnnotationKeys, checkLabels } from './metadata.ts';
import { checkHostNetwork } from './ports.ts';

const NOTHING: JsonObject = Object.freeze({});

/** What is asked of pods and not of templates. */
export function podCheck(annotations: PodAnnotations): TypeCheck {
  return function checkPod(pod, _at, context) {
    const { errors, old } = context;
    const spec = objectAt(pod, 'spec') ?? NOTHING;
    const at = FieldPath.ROOT.child('spec');
    const told = objectAt(objectAt(pod, 'metadata'), 'annotations') ?? NOTHING;
    annotations.check(told, FieldPath.ROOT.child('metadata').child('annotations'), spec, context);
    checkHostNetwork(spec, at, true, errors);
    checkVolumes(textAt(objectAt(pod, 'metadata'), 'name'), spec, at, errors);
    for (const list of ['containers', 'initContainers'] as const)
      for (const placed of placedIn(spec, list, at)) checkImage(placed, errors);
    if (old !== undefined) return;
    if (sizeOf(spec['ephemeralContainers']) > 0)
      errors.push(forbidden(at.child('ephemeralContainers'), 'are added to pods that exist'));
    if (textAt(spec, 'nodeName') !== '' && sizeOf(spec['schedulingGates']) > 0)
      errors.push(forbidden(at.child('nodeName'), 'may not be set while there are schedulingGates'));
    annotations.checkAgainstFields(told, spec, at, errors);
  };
}

/** Volumes that depend on who the pod is. */
function checkVolumes(podName: string, spec: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const volumes = itemsOf(spec['volumes']);
  const made = new Set(
    volumes.filter((it) => it['ephemeral'] != null).map((it) => `${podName}-${textAt(it, 'name')}`),
  );
  const hasAccount = textAt(spec, 'serviceAccountName') !== '';
  volumes.forEach((volume, i) => {
    const path = at.child('volumes').index(i);
    if (volume['ephemeral'] != null && podName !== '') checkClaimName(podName, volume, path, errors);
    const claim = textAt(objectAt(volume, 'persistentVolumeClaim'), 'claimName');
    if (claim !== '' && made.has(claim)) {
      const field = path.child('persistentVolumeClaim').child('claimName');
      errors.push(invalid(field, claim, 'is made for an ephemeral volume'));
    }
    const image = objectAt(volume, 'image');
    if (image !== undefined && textAt(image, 'reference') === '')
      errors.push(required(path.child('image').child('reference')));
    if (!hasAccount) forbidTokens(volume, path, errors);
  });
}

/** The claim of an ephemeral volume has its name from the pod and the volume. */
function checkClaimName(podName: string, volume: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const name = textAt(volume, 'name');
  for (const problem of name === '' ? [] : dnsSubdomainProblems(`${podName}-${name}`))
    errors.push(invalid(at.child('name'), name, `its claim would be ${podName}-${name}, which ${problem}`));
}

/** Without an account there is nobody whom a token could be for. */
function forbidTokens(volume: JsonObject, at: FieldPath, errors: FieldError[]): void {
  itemsOf(objectAt(volume, 'projected')?.['sources']).forEach((source, i) => {
    if (source['serviceAccountToken'] == null) return;
    const field = at.child('projected').child('sources').index(i).child('serviceAccountToken');
    errors.push(forbidden(field, 'may only be set where serviceAccountName is'));
  });
}

/** What is asked of templates and not of pods. */
export function podTemplateCheck(annotations: PodAnnotations): TypeCheck {
  const checkMetadata = templateMetadataCheck(annotations);
  return function checkTemplate(template, at, context) {
    const { errors } = context;
    checkMetadata(template, at, context);
    const spec = objectAt(template, 'spec') ?? NOTHING;
    const told = objectAt(objectAt(template, 'metadata'), 'annotations') ?? NOTHING;
    annotations.checkAgainstFields(told, spec, at.child('spec'), errors);
    checkHostNetwork(spec, at.child('spec'), false, errors);
    if (sizeOf(spec['ephemeralContainers']) > 0)
      errors.push(forbidden(at.child('spec').child('ephemeralContainers'), 'are added to pods that exist'));
  };
}

/** Labels and annotations of a pod template: all that is asked where its pods are looked at when they are made. */
export function templateMetadataCheck(annotations: PodAnnotations): TypeCheck {
  return function checkTemplateMetadata(template, at, context) {
    const { errors } = context;
    const meta = objectAt(template, 'metadata') ?? NOTHING;
    checkLabels(objectAt(meta, 'labels') ?? NOTHING, at.child('labels'), errors);
    const told = objectAt(meta, 'annotations') ?? NOTHING;
    checkAnnotationKeys(told, at.child('annotations'), errors);
    annotations.check(told, at.child('annotations'), objectAt(template, 'spec') ?? NOTHING, context);
  };
}
