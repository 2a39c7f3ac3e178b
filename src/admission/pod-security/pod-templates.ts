import { objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import type { AdmissionRequest } from '../admission.ts';
import { viewOf, type PodView } from './checks/check.ts';

/** Where what makes pods keeps its template, by `resource.group`. */
const TEMPLATES: ReadonlyMap<string, readonly string[]> = new Map([
  ['podtemplates.', ['template']],
  ['replicationcontrollers.', ['spec', 'template']],
  ['replicasets.apps', ['spec', 'template']],
  ['deployments.apps', ['spec', 'template']],
  ['statefulsets.apps', ['spec', 'template']],
  ['daemonsets.apps', ['spec', 'template']],
  ['jobs.batch', ['spec', 'template']],
  ['cronjobs.batch', ['spec', 'jobTemplate', 'spec', 'template']],
]);

/** What a request is about, as far as the security of pods goes. */
export function subjectOf({
  resource,
}: Pick<AdmissionRequest, 'resource'>): 'pod' | 'namespace' | 'controller' | undefined {
  const { group, resource: plural } = resource;
  if (group === '' && plural === 'pods') return 'pod';
  if (group === '' && plural === 'namespaces') return 'namespace';
  return TEMPLATES.has(`${plural}.${group}`) ? 'controller' : undefined;
}

/** The pods that something makes. @returns undefined where it has no template */
export function templateOf({ resource, object }: AdmissionRequest): PodView | undefined {
  let at: JsonObject | undefined = object;
  for (const field of TEMPLATES.get(`${resource.resource}.${resource.group}`) ?? []) at = objectAt(at, field);
  return at === undefined ? undefined : viewOf(objectAt(at, 'metadata'), objectAt(at, 'spec') ?? {});
}

/** Whether an update changes what the rules look at: of a running pod nothing but its images, and who looks into it. */
export function isSignificant(pod: ApiObject, old: ApiObject): boolean {
  const [spec, before] = [objectAt(pod, 'spec'), objectAt(old, 'spec')];
  for (const field of ['containers', 'initContainers']) {
    const [now, then] = [objectsAt(spec, field), objectsAt(before, field)];
    if (now.length !== then.length || now.some((one, i) => imageOf(one) !== imageOf(then[i]))) return true;
  }
  const then = new Map(
    objectsAt(before, 'ephemeralContainers').map((one) => [textAt(one, 'name'), imageOf(one)]),
  );
  return objectsAt(spec, 'ephemeralContainers').some((one) => then.get(textAt(one, 'name')) !== imageOf(one));
}

function imageOf(container: JsonObject | undefined): string {
  return textAt(container, 'image');
}
