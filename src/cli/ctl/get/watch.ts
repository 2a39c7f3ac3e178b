import { setTimeout as delay } from 'node:timers/promises';
import type { JsonObject } from '../../../meta/object.ts';
import { resourcePath } from '../api/resource.ts';
import { watchEvents, type WatchEvent } from '../api/watch-lines.ts';
import { CtlError, throwCollected } from '../errors.ts';
import type { Printer } from '../print/printer.ts';
import { itemsOf, readPages, type ListMeta, type Page } from '../resources/read-objects.ts';
import type { Target } from '../resources/arguments.ts';
import { tableAccept, type GetRequest } from './request.ts';
import { TablesWriter, type TableStyle } from './tables.ts';

export interface WatchChoice {
  /** Leave out what is there at the beginning. */
  readonly only: boolean;
  /** Say of each line how it came about. */
  readonly showEvents: boolean;
}

/** Shows something, whatever its form, as it is and as it becomes. */
interface Shower {
  readonly accept: string;
  show(page: Page, event: string | undefined): Promise<void>;
}

/** Shows a table whose rows follow what happens, until Ctrl-C or `--request-timeout`. */
export async function watchTables(
  request: GetRequest,
  style: TableStyle,
  choice: WatchChoice,
): Promise<void> {
  const writer = new TablesWriter(request, style);
  await watch(request, choice, {
    accept: tableAccept(await request.context.names()),
    show: (page, event) => writer.page(page, false, event),
  });
}

/** Shows objects as they are and as they become, one after the other. */
export async function watchObjects(
  request: GetRequest,
  printer: Printer,
  choice: WatchChoice,
): Promise<void> {
  await watch(request, choice, {
    accept: 'application/json',
    async show({ body }, event) {
      for (const object of itemsOf(body)) {
        const shown: JsonObject = event === undefined ? object : { object, type: event };
        await request.context.stdout.write(printer.print(shown));
      }
    },
  });
}

async function watch(request: GetRequest, choice: WatchChoice, shower: Shower): Promise<void> {
  throwCollected(request.mistakes);
  const [target, another] = request.named.targets;
  if (target === undefined || (another !== undefined && another.resource !== target.resource)) {
    throw new CtlError(
      'watch is only supported on individual resources and resource collections - more than 1 resource was found',
    );
  }
  if (another !== undefined) {
    throw new CtlError('watch is only supported on one object or one collection', {
      hint: 'Choose the objects by a label with -l.',
    });
  }
  const start = await showInitial(request, { target, shower, choice });
  try {
    await follow(request, { target, shower, choice }, start);
  } catch (error) {
    if (!isTimeout(error)) throw error;
  }
}

interface Watched {
  readonly target: Target;
  readonly shower: Shower;
  readonly choice: WatchChoice;
}

/** Shows what there is. @returns the version from which to follow. */
async function showInitial(request: GetRequest, { target, shower, choice }: Watched): Promise<string> {
  let version = '';
  for await (const page of readPages(target, { ...request.read, accept: shower.accept })) {
    const { resourceVersion = '' } = (page.body['metadata'] ?? {}) as ListMeta;
    version = resourceVersion;
    if (!choice.only) await shower.show(page, choice.showEvents ? 'ADDED' : undefined);
  }
  return version;
}

/** A watch that ends at once is not opened again at once. */
const SHORTEST_MS = 1000;

/** Shows what happens after a version; goes on where a watch ends, as servers end them by and by. */
async function follow(request: GetRequest, watched: Watched, start: string): Promise<void> {
  const { target, shower, choice } = watched;
  // The version of an object may be too old to watch from. From "0" on, the object itself comes first.
  let version = target.name === undefined ? start : '0';
  let shown = target.name === undefined || choice.only ? undefined : start;
  for (;;) {
    const since = performance.now();
    const response = await request.read.api.open({
      path: resourcePath({ namespace: request.read.namespace, ...target, name: undefined }),
      accept: shower.accept,
      query: {
        watch: true,
        resourceVersion: version,
        labelSelector: request.read.labelSelector,
        fieldSelector: fieldSelectorOf(request, target),
        allowWatchBookmarks: true,
      },
    });
    for await (const event of watchEvents(response)) {
      version = versionOf(event) ?? version;
      const known = event.type === 'BOOKMARK' || version === shown;
      shown = undefined;
      if (known) continue;
      const page: Page = { resource: target.resource, body: event.object, last: true };
      await shower.show(page, choice.showEvents ? event.type : undefined);
    }
    const rest = SHORTEST_MS - (performance.now() - since);
    if (rest > 0) await delay(rest, undefined, { signal: request.context.signal });
  }
}

function fieldSelectorOf({ read }: GetRequest, { name }: Target): string | undefined {
  return name === undefined ? read.fieldSelector : `metadata.name=${name}`;
}

/** The version that an event leads to. */
function versionOf({ object }: WatchEvent): string | undefined {
  const rows = object['rows'] as readonly { readonly object?: JsonObject }[] | undefined;
  const { metadata } = (rows === undefined ? object : (rows.at(-1)?.object ?? {})) as { metadata?: ListMeta };
  return metadata?.resourceVersion;
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}
