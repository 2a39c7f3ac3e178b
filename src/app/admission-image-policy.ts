import type { AdmissionPlugin } from '../admission/admission.ts';
import { imagePolicyWebhook } from '../admission/image-policy/plugin.ts';
import { reviewWebhook } from '../outbound/review-webhook.ts';
import type { AdmissionParts } from './admission-parts.ts';

/** Of a review with all attempts, milliseconds. */
const TIMEOUT_MS = 30_000;

/** The webhook that judges images; none where none is configured. */
export function imagePolicyOf({
  names,
  clock,
  random,
  admissionSettings,
}: AdmissionParts): readonly AdmissionPlugin[] {
  const { imagePolicy, imageWebhook } = admissionSettings;
  if (imagePolicy === undefined || imageWebhook === undefined) return [];
  const { allowedMs, deniedMs, retryPauseMs, allowsByDefault } = imagePolicy;
  const { wire, path } = imageWebhook;
  return [
    imagePolicyWebhook({
      review: reviewWebhook({
        ...{ wire, path, clock, random },
        timeoutMs: TIMEOUT_MS,
        firstPauseMs: retryPauseMs,
      }),
      apiVersion: `${names.get('group.imagepolicy')}/v1alpha1`,
      annotationPart: names.get('prefix.image-policy-audit'),
      failedOpen: names.get('annotation.image-policy-failed-open'),
      ...{ allowedMs, deniedMs, allowsByDefault, clock },
    }),
  ];
}
