import type { JsonObject, ObjectMeta } from '../../../meta/object.ts';

/** The template of a workload's pods. */
export interface PodTemplate extends JsonObject {
  metadata?: ObjectMeta;
  spec?: JsonObject;
}

/** What deployments, daemon sets and stateful sets have in common, as the server tells of them. */
export interface Workload extends JsonObject {
  metadata: ObjectMeta;
  spec: JsonObject & { selector?: JsonObject; template?: PodTemplate; paused?: boolean };
}
