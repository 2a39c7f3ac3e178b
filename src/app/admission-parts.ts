import type { Authorizer } from '../authz/authorizer.ts';
import type { SchemaRegistry } from '../schema/model.ts';
import type { ObjectStore } from '../store/object-store.ts';
import type { InProcess } from '../verbs/in-process.ts';
import type { OpenedSettings } from './admission-settings/open.ts';
import type { AdmissionObservers } from './metrics/admission.ts';
import type { ServerCommons } from './server-commons.ts';

/** What plugins are made of. */
export interface AdmissionParts extends Omit<ServerCommons, 'log'> {
  readonly schemas: SchemaRegistry;
  readonly store: ObjectStore;
  readonly authorize: Authorizer;
  /** The server as its own client, once requests can be made. */
  readonly server: () => InProcess;
  readonly admissionObservers: AdmissionObservers;
  readonly admissionSettings: OpenedSettings;
}
