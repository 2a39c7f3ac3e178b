import type { Status } from '../../errors/api-error.ts';
import { notSupported, required, type FieldError } from '../../errors/field-error.ts';
import { badRequestError, conflictError, invalidError } from '../../errors/status-errors.ts';
import { objectAt, sizeOf, textAt } from '../../meta/fields.ts';
import type { ApiObject } from '../../meta/object.ts';
import type { SubresourceCreation } from '../hooks.ts';
import { setCondition } from './prepare.ts';

/** What requests are told that leave nothing to show. */
export const CREATED: Status = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  code: 201,
};

/** POST to `pods/{name}/binding`: the pod runs on a node from now on. */
export const bindPod: SubresourceCreation = async (binding, context) => {
  const { name, now } = context;
  if (binding.metadata.name !== name) throw badRequestError('the binding names another pod than the path');
  const node = nodeOf(binding);
  await context.admit();
  const { uid, resourceVersion, annotations } = binding.metadata;
  await context.change({ group: '', resource: 'pods', name }, (pod) => {
    const { metadata } = pod;
    const isOther =
      (uid && uid !== metadata.uid) || (resourceVersion && resourceVersion !== metadata.resourceVersion);
    if (isOther)
      throw conflictError({ group: '', resource: 'pods' }, name, 'it is not the one that the binding is for');
    const why = whyNot(pod);
    if (why !== undefined) throw conflictError({ group: '', resource: 'pods/binding' }, name, why);
    pod.spec = { ...objectAt(pod, 'spec'), nodeName: node };
    if (annotations !== undefined) metadata.annotations = { ...metadata.annotations, ...annotations };
    const status = objectAt(pod, 'status') ?? {};
    setCondition(status, { type: 'PodScheduled', status: 'True' }, now);
    pod.status = status;
  });
  return { outcome: CREATED };
};

/** @throws ApiError 422. */
function nodeOf(binding: ApiObject): string {
  const target = objectAt(binding, 'target');
  const kind = textAt(target, 'kind');
  const errors: FieldError[] = [];
  if (kind !== '' && kind !== 'Node') errors.push(notSupported('target.kind', kind, ['Node']));
  if (textAt(target, 'name') === '') errors.push(required('target.name'));
  if (errors.length > 0)
    throw invalidError({ group: '', kind: 'Binding' }, binding.metadata.name ?? '', errors);
  return textAt(target, 'name');
}

function whyNot(pod: ApiObject): string | undefined {
  const spec = objectAt(pod, 'spec');
  const node = textAt(spec, 'nodeName');
  if (pod.metadata.deletionTimestamp != null) return 'the pod is being deleted';
  if (node !== '') return `the pod is on node ${JSON.stringify(node)} already`;
  return sizeOf(spec?.['schedulingGates']) > 0 ? 'the pod still has schedulingGates' : undefined;
}
