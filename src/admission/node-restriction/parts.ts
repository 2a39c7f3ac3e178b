import type { ApiObject } from '../../meta/object.ts';
import type { NamingProfile } from '../../names/profile.ts';
import type { AdmissionRequest } from '../admission.ts';

/** What nodes are told apart and held to their own by. */
export interface NodeRestrictionParts {
  readonly names: NamingProfile;
  /** Finds an object of the core group, which may be a little old. @returns undefined where there is none */
  readonly find: (what: CoreObjectName) => Promise<ApiObject | undefined>;
  /** What kinds of objects a pod refers to, such as `secret`. */
  readonly referredKinds: (pod: ApiObject) => readonly string[];
  /** Whether nodes tell of volumes that are being made larger. */
  readonly expandsVolumes: boolean;
}

export interface CoreObjectName {
  readonly resource: 'nodes' | 'pods';
  readonly namespace: string;
  readonly name: string;
}

/** Why a node's write is refused; undefined: it isn't. @throws ApiError 404 for what it refers to and isn't there */
export type NodeRule = (
  node: string,
  request: AdmissionRequest,
) => string | undefined | Promise<string | undefined>;
