import { objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { only } from '../only.ts';
import { refused } from '../refused.ts';

const CONTAINERS = ['initContainers', 'containers', 'ephemeralContainers'];

/** Has images pulled whenever a pod starts, so that nobody runs one from a node who could not pull it. */
export function alwaysPullImages(): AdmissionPlugin {
  return {
    name: 'AlwaysPullImages',
    operations: ['CREATE', 'UPDATE'],
    concerns: only('pods'),
    mutate(request) {
      for (const { owner, field } of newImages(request)) owner[field] = 'Always';
    },
    validate(request) {
      const others = newImages(request).filter(({ owner, field }) => owner[field] !== 'Always');
      if (others.length === 0) return;
      throw refused(request, `${others.map(({ path }) => path).join(', ')} must be Always`);
    },
  };
}

/** Where a pod says when one of its images is pulled. */
interface PullPolicy {
  readonly owner: JsonObject;
  readonly field: string;
  readonly path: string;
}

/** All of a pod, unless an update brings no image that wasn't there. */
function newImages({ object, oldObject, subresource }: AdmissionRequest): PullPolicy[] {
  if (object === undefined || subresource !== '') return [];
  if (oldObject !== undefined) {
    const old = new Set(imagesOf(oldObject));
    if (imagesOf(object).every((image) => old.has(image))) return [];
  }
  const spec = objectAt(object, 'spec');
  return [
    ...CONTAINERS.flatMap((list) =>
      objectsAt(spec, list).map((owner, i) => ({
        owner,
        field: 'imagePullPolicy',
        path: `spec.${list}[${i}].imagePullPolicy`,
      })),
    ),
    ...objectsAt(spec, 'volumes').flatMap((volume, i) => {
      const owner = objectAt(volume, 'image');
      const path = `spec.volumes[${i}].image.pullPolicy`;
      return owner === undefined ? [] : [{ owner, field: 'pullPolicy', path }];
    }),
  ];
}

function imagesOf(pod: ApiObject): string[] {
  const spec = objectAt(pod, 'spec');
  return CONTAINERS.flatMap((list) => objectsAt(spec, list).map((container) => textAt(container, 'image')));
}
