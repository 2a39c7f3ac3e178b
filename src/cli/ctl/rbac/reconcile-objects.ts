import { parseGroupVersion, type ApiObject } from '../../../meta/object.ts';
import type { Api } from '../api/api.ts';
import { resourcePath } from '../api/resource.ts';
import type { CommandContext } from '../context.ts';
import { CtlError, isAlreadyExists, isConflict, isNotFound, ServerError, throwCollected } from '../errors.ts';
import type { Manifest } from '../manifests/manifest.ts';
import type { OutputChoice } from '../print/output-flags.ts';
import { findTarget, targetPath, type WriteTarget } from '../write/find-target.ts';
import type { ManifestChoice } from '../write/flags.ts';
import { loadManifests } from '../write/load-manifests.ts';
import { Report } from '../write/report.ts';
import { goSubject, reconcileBinding, subjectsOf, withGroups } from './reconcile-binding.ts';
import { goRule, reconcileRole, rulesOf } from './reconcile-role.ts';
import type { Reconciled } from './reconciled.ts';

export interface ReconcileChoice extends ManifestChoice, OutputChoice {
  readonly 'dry-run': string;
  readonly 'remove-extra-permissions': boolean;
  readonly 'remove-extra-subjects': boolean;
}

/** How a kind is reconciled. */
interface ReconciledKind {
  /** What the kind is a list of, for messages. */
  readonly what: 'rules' | 'subjects';
  readonly removes: 'remove-extra-permissions' | 'remove-extra-subjects';
  readonly reconcile: (existing: ApiObject, expected: ApiObject, removeExtra: boolean) => Reconciled;
  /** All of an object, as it is shown. */
  readonly all: (object: ApiObject) => readonly string[];
}

const ROLE: ReconciledKind = {
  what: 'rules',
  removes: 'remove-extra-permissions',
  reconcile: reconcileRole,
  all: (role) => rulesOf(role).map(goRule),
};
const BINDING: ReconciledKind = {
  what: 'subjects',
  removes: 'remove-extra-subjects',
  reconcile: reconcileBinding,
  all: (binding) => subjectsOf(binding).map(goSubject),
};
/** By resource. */
const KINDS: ReadonlyMap<string, ReconciledKind> = new Map([
  ['roles', ROLE],
  ['clusterroles', ROLE],
  ['rolebindings', BINDING],
  ['clusterrolebindings', BINDING],
]);

/** Sees to it that roles allow, and bindings give, what manifests say. Other manifests are left out. @throws at the end */
export async function reconcileObjects(context: CommandContext, choice: ReconcileChoice): Promise<void> {
  const report = await Report.open(context, choice);
  const { manifests, errors: mistakes } = await loadManifests(context, choice);
  const errors: unknown[] = [...mistakes];
  const group = (await context.names()).get('group.rbac');
  for (const manifest of manifests) {
    try {
      await reconcileManifest(context, manifest, { choice, group, report });
    } catch (error) {
      if (context.signal.aborted) throw error;
      errors.push(error);
    }
  }
  throwCollected(errors);
}

interface Reconciling {
  readonly choice: ReconcileChoice;
  readonly group: string;
  readonly report: Report;
}

async function reconcileManifest(
  context: CommandContext,
  manifest: Manifest,
  { choice, group, report }: Reconciling,
): Promise<void> {
  const { apiVersion } = manifest.object;
  const parsed = parseGroupVersion(apiVersion);
  if (parsed?.group !== group) return;
  if (parsed.version !== 'v1') throw new CtlError(`only ${group}/v1 is supported: not ${apiVersion}`);
  const target = findTarget(manifest, await context.resources(), await context.namespace());
  const kind = KINDS.get(target.resource.resource);
  if (kind === undefined) return;
  const expected = kind === BINDING ? withGroups(target.object, group) : target.object;
  const step = { target: { ...target, object: expected }, kind, choice };
  const reconciled = await reconcileOne(context, step);
  await report.done(reconciled.object, 'reconciled');
  await tell(context, reconciled, step);
}

interface Step {
  readonly target: WriteTarget;
  readonly kind: ReconciledKind;
  readonly choice: ReconcileChoice;
}

/** What was done, or would be if the object's owner let it. */
interface Done extends Reconciled {
  readonly optedOut: boolean;
}

/** An object that comes and goes while it is looked at is not followed for ever. */
const MOST_ATTEMPTS = 4;

async function reconcileOne(context: CommandContext, step: Step): Promise<Done> {
  const api = await context.api();
  const optOut = (await context.names()).get('annotation.rbac-autoupdate');
  for (let attempt = 1; ; attempt++) {
    const existing = await find(api, targetPath(step.target));
    const optedOut = existing?.metadata.annotations?.[optOut] === 'false';
    const found = { ...compare(existing, step), optedOut };
    if (optedOut || step.choice['dry-run'] !== 'none') return found;
    try {
      return { ...found, object: await write(context, step.target, { ...found, existing }) };
    } catch (error) {
      const changed = isAlreadyExists(error) || isNotFound(error) || isConflict(error);
      if (!changed || attempt === MOST_ATTEMPTS) throw error;
    }
  }
}

function compare(existing: ApiObject | undefined, { target, kind, choice }: Step): Reconciled {
  const { object } = target;
  if (existing !== undefined) return kind.reconcile(existing, object, choice[kind.removes]);
  const shown = { ...object, metadata: { creationTimestamp: null, ...object.metadata } };
  return { object: shown, operation: 'create', missing: kind.all(object), extra: [] };
}

async function find(api: Api, path: string): Promise<ApiObject | undefined> {
  try {
    return await api.json<ApiObject>({ path });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function write(
  context: CommandContext,
  target: WriteTarget,
  { operation, object, existing }: Reconciled & { readonly existing: ApiObject | undefined },
): Promise<ApiObject> {
  const api = await context.api();
  const query = { fieldManager: 'orchctl-auth' };
  const path = targetPath(target);
  if (operation === 'none') return object;
  if (operation === 'update') return api.json<ApiObject>({ method: 'PUT', path, query, body: object });
  if (operation === 'recreate') {
    const preconditions = { uid: existing?.metadata.uid ?? null };
    await api.json({
      method: 'DELETE',
      path,
      body: { apiVersion: 'v1', kind: 'DeleteOptions', preconditions },
    });
  }
  if (target.namespace !== undefined) await ensureNamespace(context, target.namespace);
  return api.json<ApiObject>({
    method: 'POST',
    path: resourcePath({ ...target, name: undefined }),
    query,
    body: object,
  });
}

/** Makes a namespace where there is none; who may not do that may find it there all the same. */
async function ensureNamespace(context: CommandContext, name: string): Promise<void> {
  const api = await context.api();
  const resource = (await context.resources()).find('namespaces');
  const forbidden = (error: unknown): boolean => error instanceof ServerError && error.code === 403;
  try {
    await api.json({ path: resourcePath({ resource, name }) });
    return;
  } catch (error) {
    if (!isNotFound(error) && !forbidden(error)) throw error;
  }
  try {
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    await api.json({ method: 'POST', path: resourcePath({ resource }), body });
  } catch (error) {
    if (!isAlreadyExists(error) && !forbidden(error)) throw error;
  }
}

async function tell(
  context: CommandContext,
  { operation, optedOut, missing, extra }: Done,
  { kind, choice }: Step,
): Promise<void> {
  if (operation === 'none') return;
  const annotation = (await context.names()).get('annotation.rbac-autoupdate');
  const caveat = optedOut ? `, but object opted out (${annotation}: false)` : '';
  const lines = [`\treconciliation required ${operation}${caveat}\n`];
  if (missing.length > 0) lines.push(`\tmissing ${kind.what} added:\n`, ...missing.map(inner));
  if (choice[kind.removes] && extra.length > 0)
    lines.push(`\textra ${kind.what} removed:\n`, ...extra.map(inner));
  await context.stderr.write(lines.join(''));
}

function inner(line: string): string {
  return `\t\t${line}\n`;
}
