import { setTimeout as delay } from 'node:timers/promises';
import type { JsonObject } from '../../../meta/object.ts';
import type { Api, Query } from '../api/api.ts';
import { resourcePath } from '../api/resource.ts';
import type { CommandContext } from '../context.ts';
import { CtlError, isNotFound } from '../errors.ts';
import type { OutputChoice } from '../print/output-flags.ts';
import { eachManifest } from './each-manifest.ts';
import { targetPath, type WriteTarget } from './find-target.ts';
import { writeQuery, type ManifestChoice, type WriteChoice } from './flags.ts';

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
  const query = { ...writeQuery(choice, choice['field-manager']) };
  await eachManifest(context, choice, {
    verb: 'replace',
    doing: 'replacing',
    done: 'replaced',
    write: (target) =>
      force
        ? create(api, target, query)
        : api.json({ method: 'PUT', path: targetPath(target, subresource), query, body: target.object }),
    ...(force ? { first: (targets) => removeAll(context, api, { targets, choice }) } : {}),
  });
}

interface Removal {
  readonly targets: readonly WriteTarget[];
  readonly choice: ReplaceChoice;
}

const PAUSE_MS = 100;

/** Deletes what is to be created again, tells of it, and waits until it is gone. */
async function removeAll(context: CommandContext, api: Api, { targets, choice }: Removal): Promise<void> {
  const going = new Map<string, string>();
  for (const target of targets) {
    const path = targetPath(target);
    const uid = await uidOf(api, path);
    if (uid === undefined) continue;
    await api.json({ method: 'DELETE', path, body: deleteOptions(uid, choice) });
    going.set(path, uid);
    const { resource, name } = target;
    const kind = resource.group === '' ? resource.singular : `${resource.singular}.${resource.group}`;
    await context.stdout.write(
      choice.output === 'name' ? `${kind}/${name}\n` : `${kind} "${name}" deleted\n`,
    );
  }
  const deadline = performance.now() + (choice.timeout > 0 ? choice.timeout : DEFAULT_TIMEOUT_MS);
  for (const [path, uid] of going) {
    while ((await uidOf(api, path)) === uid) {
      if (performance.now() > deadline)
        throw new CtlError(
          `timed out waiting until ${path} is gone; it has been told to go, nothing was created`,
          {
            hint: 'Does it have finalizers? orchctl get -o yaml shows them.',
          },
        );
      await delay(PAUSE_MS, undefined, { signal: context.signal });
    }
  }
}

const DEFAULT_TIMEOUT_MS = 300_000;
const PROPAGATION: Readonly<Record<string, string>> = {
  background: 'Background',
  foreground: 'Foreground',
  orphan: 'Orphan',
};

function deleteOptions(uid: string, choice: ReplaceChoice): JsonObject {
  const grace = choice['grace-period'];
  return {
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    propagationPolicy: PROPAGATION[choice.cascade] ?? 'Background',
    preconditions: { uid },
    // As kubectl has it: a forced replacement doesn't wait.
    gracePeriodSeconds: grace < 0 ? 0 : grace,
  };
}

function create(api: Api, { resource, namespace, object }: WriteTarget, query: Query): Promise<JsonObject> {
  const { resourceVersion: _version, uid: _uid, ...metadata } = object.metadata;
  const path = resourcePath({ resource, namespace });
  return api.json({ method: 'POST', path, query, body: { ...object, metadata } });
}

async function uidOf(api: Api, path: string): Promise<string | undefined> {
  try {
    return (await api.json<{ metadata: { uid: string } }>({ path })).metadata.uid;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
