import type { Clock } from '../../lib/clock.ts';
import { ExpiringCache } from '../../lib/expiring-cache.ts';
import { isObject, objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { ApiObject, Json, JsonObject } from '../../meta/object.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { only } from '../only.ts';
import { refused } from '../refused.ts';

export interface ImagePolicyDependencies {
  /** Asks the webhook. @throws Error where it gives no answer */
  readonly review: (review: JsonObject) => Promise<Readonly<Record<string, unknown>>>;
  /** Of ImageReviews. */
  readonly apiVersion: string;
  /** What the annotations of pods contain that the webhook is told. */
  readonly annotationPart: string;
  /** The annotation of pods that were let in without an answer. */
  readonly failedOpen: string;
  /** How long answers hold, milliseconds. */
  readonly allowedMs: number;
  readonly deniedMs: number;
  /** Whether images may be used when the webhook gives no answer. */
  readonly allowsByDefault: boolean;
  readonly clock: Clock;
}

/** So many answers are kept. */
const ANSWERS = 1024;

interface Answer {
  readonly allowed: boolean;
  readonly reason: string;
}

/** Asks a webhook whether the images of pods may be used. */
export function imagePolicyWebhook(dependencies: ImagePolicyDependencies): AdmissionPlugin {
  const { clock } = dependencies;
  const answers = new ExpiringCache<Answer>({ clock, limit: ANSWERS });

  async function ask(spec: JsonObject): Promise<Answer> {
    const key = JSON.stringify(spec);
    const known = answers.get(key);
    if (known !== undefined) return known;
    const { review, apiVersion, allowedMs, deniedMs } = dependencies;
    const answer = readAnswer(await review({ apiVersion, kind: 'ImageReview', metadata: {}, spec }));
    answers.set(key, answer, answer.allowed ? allowedMs : deniedMs);
    return answer;
  }

  return {
    name: 'ImagePolicyWebhook',
    operations: ['CREATE', 'UPDATE'],
    concerns: only('pods'),
    async validate(request) {
      const { object, subresource, namespace } = request;
      if (object === undefined || (subresource !== '' && subresource !== 'ephemeralcontainers')) return;
      const spec = {
        containers: imagesOf(request),
        ...annotationsOf(object, dependencies.annotationPart),
        namespace,
      };
      let answer: Answer;
      try {
        answer = await ask(spec);
      } catch (error) {
        if (!dependencies.allowsByDefault)
          throw refused(
            request,
            `the webhook that judges images gives no answer: ${(error as Error).message}`,
          );
        object.metadata.annotations = { ...object.metadata.annotations, [dependencies.failedOpen]: 'true' };
        return;
      }
      if (answer.allowed) return;
      const why = answer.reason === '' ? '' : `: ${answer.reason}`;
      throw refused(request, `the webhook that judges images refuses some of them${why}`);
    },
  };
}

function imagesOf({ object, subresource }: AdmissionRequest): Json[] {
  const spec = objectAt(object, 'spec');
  const lists = subresource === '' ? ['containers', 'initContainers'] : ['ephemeralContainers'];
  return lists.flatMap((list) =>
    objectsAt(spec, list).map((container) => ({ image: textAt(container, 'image') })),
  );
}

function annotationsOf({ metadata }: ApiObject, part: string): JsonObject {
  const told = Object.entries(metadata.annotations ?? {}).filter(([key]) => key.includes(part));
  return told.length === 0 ? {} : { annotations: Object.fromEntries(told) };
}

/** @throws Error where it is none */
function readAnswer(review: Readonly<Record<string, unknown>>): Answer {
  const status = review['status'] as Json | undefined;
  if (!isObject(status)) throw new Error('it answered a review without a status');
  return { allowed: status['allowed'] === true, reason: textAt(status, 'reason') };
}
