import type { Admission } from '../admission/admission.ts';
import type { RequireAccess } from '../authz/require-access.ts';
import type { Clock } from '../lib/clock.ts';
import { timeFormat } from '../lib/rfc3339.ts';
import type { ApiObject } from '../meta/object.ts';
import type { NamingProfile } from '../names/profile.ts';
import type { ResourceHooks } from '../registry/hooks.ts';
import type { ResourceDefinition, SchemaRegistry } from '../schema/model.ts';
import type { RuleBook } from '../schema/rules/rule-book.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { bodyParsers, type BodyParsers } from './body-parsers.ts';

/** What the verbs are made with. */
export interface VerbDependencies {
  readonly store: ObjectStore;
  readonly schemas: SchemaRegistry;
  /** What data can't say about a resource; an empty object for most. */
  readonly hooksOf: (resource: ResourceDefinition) => ResourceHooks;
  /** What must hold for objects, as `schemas/rules/` and the checks of kinds have it. */
  readonly rules: RuleBook;
  readonly admission: Admission;
  /** Whether objects that can't be read may be removed unread (gate AllowUnsafeMalformedObjectDeletion). */
  readonly removesUnread: boolean;
  /** Whether a garbage collector sees to dependents of what is deleted. */
  readonly collectsGarbage: boolean;
  /** An object in another version of its kind; the argument isn't changed. */
  readonly convert: (object: ApiObject, from: ResourceDefinition, to: ResourceDefinition) => ApiObject;
  /** Asks whether a user may do something besides what the request's method and path say. @throws ApiError 403. */
  readonly requireAccess: RequireAccess;
  readonly names: NamingProfile;
  readonly clock: Clock;
  /** A number from 0 up to, but not including, 1. */
  readonly random: () => number;
  /** A new object's identity. */
  readonly newUid: () => string;
  /** Whether bodies may be CBOR (gate CBORServingAndStorage). */
  readonly cbor: boolean;
  /** Whether watches may stream lists (gate WatchList). */
  readonly streamsLists: boolean;
  /** The shortest that a watch runs when its request doesn't say, seconds (`--min-request-timeout`). */
  readonly minRequestTimeoutSeconds: number;
  /** How long an event is kept, seconds (`--event-ttl`). */
  readonly eventTtlSeconds: number;
}

/** What handlers share: what they were made with, and what is worked out from it once. */
export interface VerbTools extends VerbDependencies {
  /** The group of options kinds, Table and PartialObjectMetadata. */
  readonly metaGroup: string;
  /** How bodies are read. */
  readonly parsers: BodyParsers;
  /** Finalizers without a domain that the system itself acts on. */
  readonly standardFinalizers: ReadonlySet<string>;
  /** RFC 3339 in UTC, whole seconds. @param ms since 1970 */
  readonly formatTime: (ms: number) => string;
}

/** Completes what verbs are given with what is derived from it. */
export function verbTools(dependencies: VerbDependencies): VerbTools {
  const { names, cbor } = dependencies;
  return {
    ...dependencies,
    metaGroup: names.get('group.meta'),
    parsers: bodyParsers({ protobufType: names.get('mediaType.protobuf'), cbor }),
    standardFinalizers: new Set([names.get('finalizer.namespace'), 'orphan', 'foregroundDeletion']),
    formatTime: timeFormat(),
  };
}
