import { setTimeout as delay } from 'node:timers/promises';
import type { Api } from '../api/api.ts';
import type { ResourceMapper } from '../api/resource-mapper.ts';
import { CtlError } from '../errors.ts';
import { targetPath, type WriteTarget } from '../write/find-target.ts';

const WITHIN_MS = 30_000;
const PAUSE_MS = 50;

interface Definition {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

interface DefinitionSpec {
  readonly group?: string;
  readonly names?: { readonly kind?: string };
  readonly versions?: readonly { readonly name?: string; readonly served?: boolean }[];
}

export interface DefinitionTools {
  readonly api: Api;
  readonly signal: AbortSignal;
  /** Asks the server once more what it serves. */
  readonly discover: () => Promise<ResourceMapper>;
}

/**
 * Waits until the kinds of definitions that were applied are served, and discovery tells of them, which may be later.
 *
 * @throws CtlError when that takes too long.
 */
export async function learnDefinitions(
  definitions: readonly WriteTarget[],
  { api, signal, discover }: DefinitionTools,
): Promise<ResourceMapper> {
  const deadline = performance.now() + WITHIN_MS;
  const wait = async (unserved: WriteTarget): Promise<void> => {
    if (performance.now() > deadline)
      throw new CtlError(
        `the server has not begun to serve what ${unserved.name} defines within ${WITHIN_MS / 1000} s`,
      );
    await delay(PAUSE_MS, undefined, { signal });
  };
  for (const target of definitions)
    while (!isEstablished(await api.json<Definition>({ path: targetPath(target) }))) await wait(target);
  for (;;) {
    const mapper = await discover();
    const unknown = definitions.find((target) => !isKnown(target, mapper));
    if (unknown === undefined) return mapper;
    await wait(unknown);
  }
}

function isEstablished({ status }: Definition): boolean {
  return status?.conditions?.some((one) => one.type === 'Established' && one.status === 'True') === true;
}

/** Whether every version that the definition serves is discovered. */
function isKnown({ object }: WriteTarget, mapper: ResourceMapper): boolean {
  const { group = '', names, versions = [] } = (object['spec'] ?? {}) as DefinitionSpec;
  return versions
    .filter(({ served }) => served === true)
    .every(
      ({ name = '' }) => mapper.forKind({ group, version: name, kind: names?.kind ?? '' }) !== undefined,
    );
}
