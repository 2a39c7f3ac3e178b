import type { Authorizer } from '../authz/authorizer.ts';
import type { Clock } from '../lib/clock.ts';
import type { NamingProfile } from '../names/profile.ts';
import type { SchemaRegistry } from '../schema/model.ts';
import type { ObjectStore } from '../store/object-store.ts';
import type { InProcess } from '../verbs/in-process.ts';
import type { OpenedSettings } from './admission-settings/open.ts';
import type { AdmissionObservers } from './metrics/admission.ts';
import type { CompletedConfig } from './options/complete.ts';

/** What plugins are made of. */
export interface AdmissionParts {
  readonly config: CompletedConfig;
  readonly names: NamingProfile;
  readonly schemas: SchemaRegistry;
  readonly store: ObjectStore;
  readonly authorize: Authorizer;
  readonly clock: Clock;
  /** A number from 0 up to, but not including, 1: of generated names. */
  readonly random: () => number;
  /** The server as its own client, once requests can be made. */
  readonly server: () => InProcess;
  readonly admissionObservers: AdmissionObservers;
  readonly admissionSettings: OpenedSettings;
}
