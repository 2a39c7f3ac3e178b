import type { TokenIssuer } from '../authn/service-account/issuer.ts';
import type { NodeAgents } from '../registry/node/agent.ts';
import type { TokenQuestions } from '../registry/reviews/reviews.ts';
import type { SchemaRegistry } from '../schema/model.ts';
import type { Storage } from '../storage/port.ts';
import type { StoreObserver } from '../store/observer.ts';
import type { OpenedSettings } from './admission-settings/open.ts';
import type { Authorization } from './authorization/authorization.ts';
import type { AdmissionObservers } from './metrics/admission.ts';
import type { AllocationObserver } from './metrics/allocation.ts';
import type { ServerCommons } from './server-commons.ts';

/** What a control plane is made of. */
export interface ControlPlaneParts extends ServerCommons {
  readonly schemas: SchemaRegistry;
  readonly storage: Storage;
  readonly authorization: Authorization;
  /** Whose tokens are whose. */
  readonly tokens: TokenQuestions;
  /** Signs tokens of service accounts. */
  readonly tokenIssuer: TokenIssuer;
  /** How the agents of nodes are reached. */
  readonly nodeAgents: NodeAgents;
  /** A new object's uid. */
  readonly newUid: () => string;
  readonly observer: StoreObserver;
  readonly allocation: AllocationObserver;
  readonly admissionObservers: AdmissionObservers;
  readonly admissionSettings: OpenedSettings;
}
