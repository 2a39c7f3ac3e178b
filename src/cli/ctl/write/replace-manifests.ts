import { setTimeout as delay } from 'node:timers/promises';
import type { JsonObject } from '../../../meta/object.ts';
import type { Api } from '../api/api.ts';
import { resourcePath } from '../api/resource.ts';
import type { CommandContext } from '../context.ts';
import { CtlError, isNotFound } from '../errors.ts';
import type { OutputChoice } from '../print/output-flags.ts';
import { eachManifest } from './each-manifest.ts';
import { targetPath, type WriteTarget } from './find-target.ts';
import { writeQuery, type ManifestChoice, type WriteChoice, type WriteQuery } from './flags.ts';

export interface ReplaceChoice extends ManifestChoice, WriteChoice, OutputChoice {
  readonly 'field-manager': string;
  readonly force: boolean;
  readonly cascade: string;
  readonly 'grace-period': number;
  /** Milliseconds. */
  readonly timeout: number;
  readonly subresource: string | undefined;
}

/** Replaces what `-f` names. @throws errors of what can't be replaced, after all else was. */
export async function replaceManifests(context: CommandContext, choice: ReplaceChoice): Promise<void> {
  const { force, subresource } = choice;
  if (!force && choice['grace-period'] >= 0) throw new CtlError('--grace-period must have --force specified');
  if (force && choice['dry-run'] !== 'none')
    throw new CtlError('--dry-run can not be used when --force is set');
  const api = await context.api();
  const query = writeQuery(choice, choice['field-manager']);
  await eachManifest(context, choice, {
    verb: 'replace',
    doing: 'replacing',
    done: 'replaced',
    write: (target) =>
      force
        ? recreate(target, { api, query, choice, signal: context.signal })
        : api.json({
            method: 'PUT',
            path: targetPath(target, subresource),
            query: { ...query },
            body: target.object,
          }),
  });
}

interface Recreation {
  readonly api: Api;
  readonly query: WriteQuery;
  readonly choice: ReplaceChoice;
  readonly signal: AbortSignal;
}

const PAUSE_MS = 100;

async function recreate(target: WriteTarget, recreation: Recreation): Promise<JsonObject> {
  const { api, query, choice, signal } = recreation;
  const path = targetPath(target);
  const uid = await remove(path, recreation);
  const deadline = performance.now() + (choice.timeout > 0 ? choice.timeout : 300_000);
  while (uid !== undefined && (await uidOf(api, path)) === uid) {
    if (performance.now() > deadline)
      throw new CtlError(
        `timed out waiting until ${target.name} is gone; it has been told to go, nothing was created`,
        {
          hint: 'Does it have finalizers? orchctl get -o yaml shows them.',
        },
      );
    await delay(PAUSE_MS, undefined, { signal });
  }
  const { resource, namespace, object } = target;
  const { resourceVersion: _version, uid: _uid, ...metadata } = object.metadata;
  const body = { ...object, metadata };
  return api.json({ method: 'POST', path: resourcePath({ resource, namespace }), query: { ...query }, body });
}

const PROPAGATION: Readonly<Record<string, string>> = {
  background: 'Background',
  foreground: 'Foreground',
  orphan: 'Orphan',
};

/** @returns the uid of what is to go; undefined when nothing was there. */
async function remove(path: string, { api, choice }: Recreation): Promise<string | undefined> {
  const uid = await uidOf(api, path);
  if (uid === undefined) return undefined;
  const grace = choice['grace-period'];
  await api.json({
    method: 'DELETE',
    path,
    body: {
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      propagationPolicy: PROPAGATION[choice.cascade] ?? 'Background',
      preconditions: { uid },
      // As kubectl has it: a forced replacement doesn't wait.
      gracePeriodSeconds: grace < 0 ? 0 : grace,
    },
  });
  return uid;
}

async function uidOf(api: Api, path: string): Promise<string | undefined> {
  try {
    return (await api.json<{ metadata: { uid: string } }>({ path })).metadata.uid;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
