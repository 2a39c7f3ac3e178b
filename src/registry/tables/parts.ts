import type { NamingProfile } from '../../names/profile.ts';
import type { ComponentCheck } from '../componentstatus/hooks.ts';
import type { ResourceHooks } from '../hooks.ts';
import type { NodeAgents } from '../node/agent.ts';
import type { PodSettings } from '../pod/settings.ts';
import type { RoleGrants } from '../rbac/hooks.ts';
import type { Access, TokenQuestions } from '../reviews/reviews.ts';
import type { ServiceParts } from '../service/hooks.ts';
import type { TokenRequests } from '../serviceaccount/token-request.ts';

/** What hooks need of the rest of the server. */
export interface HooksParts {
  /** The programs that componentstatuses tell of. */
  readonly components?: readonly ComponentCheck[];
  /** What roles and bindings may be written; absent: any. */
  readonly grants?: RoleGrants;
  /** Who may do what, for those who ask; absent: nobody is told. */
  readonly access?: Access;
  /** Whose tokens are whose, for those who ask; absent: nobody is told. */
  readonly tokens?: TokenQuestions;
  /** How tokens for service accounts are made; absent: there are none. */
  readonly tokenRequests?: TokenRequests;
  /** What services are given out of; absent: they get no addresses. */
  readonly services?: ServiceParts;
  /** How the agents of nodes are reached; absent: they aren't. */
  readonly nodeAgents?: NodeAgents;
  /** How the server is set up for pods; absent: they may have everything. */
  readonly pods?: PodSettings;
}

/** The same, for the tables. */
export interface TableParts extends HooksParts {
  readonly names: NamingProfile;
  readonly pods: PodSettings;
}

/** Hooks by kind, as {@link kindKey} has them. */
export type HooksTable = Readonly<Record<string, ResourceHooks>>;
