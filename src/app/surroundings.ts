import type { FurtherFilters, Gateway } from '../http/gateway.ts';
import type { TlsOptions } from '../http/server/tls-server.ts';
import type { Clock } from '../lib/clock.ts';
import type { NamingProfile } from '../names/profile.ts';
import type { SchemaRegistry } from '../schema/model.ts';
import type { Verbs } from '../verbs/verbs.ts';
import type { GeneratedCertificates } from './certificates.ts';
import type { CompletedConfig } from './options/complete.ts';
import type { StoreTuning } from './storage.ts';
import type { BuildVersion } from './version.ts';

/** What the command line came to. */
export interface ServerConfiguration {
  readonly config: CompletedConfig;
  readonly names: NamingProfile;
  /** What users are told about flags that do less than they say. */
  readonly warnings: readonly string[];
}

/** What the process lends the server. */
export interface ServerSurroundings {
  readonly version: BuildVersion;
  readonly writeLog: (text: string) => void;
  /** The machine's own by default. */
  readonly clock?: Clock;
  /** A number from 0 up to, but not including, 1: of generated names, and of times that are spread. Math.random by default. */
  readonly random?: () => number;
  /** A new object's uid. A random one by default. */
  readonly newUid?: () => string;
  /** Used instead of those in the certificate folder. */
  readonly certificates?: GeneratedCertificates;
  /** Those of the configuration, where servers share them; else they are loaded. */
  readonly schemas?: SchemaRegistry;
  readonly store?: StoreTuning;
  /** The store is a copy of one that a server has started on: nothing is missing in it, and its caches are loaded on demand. */
  readonly prepared?: boolean;
  /** Controllers begin when it resolves; at once by default. */
  readonly controllersWait?: Promise<void>;
  /** Brings the connections, instead of a port of the server's own. @returns the port that clients use. */
  readonly listen?: (gateway: Gateway, tls: TlsOptions) => Promise<number>;
  /** Steps that are added to the way of every request. */
  readonly filters?: FurtherFilters;
  /** What is put around the verbs, as requests from outside see them. */
  readonly wrapVerbs?: (verbs: Verbs) => Verbs;
}
