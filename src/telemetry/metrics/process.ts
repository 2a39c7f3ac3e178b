import type { Registry } from 'prom-client';

/**
 * The metrics of the process and its runtime (`process_*`, `nodejs_*`). The library that knows them, and what it watches
 * for them, costs nothing until somebody scrapes.
 *
 * @returns their exposition.
 */
export function processMetrics(): () => Promise<string> {
  let registry: Promise<Registry> | undefined;
  return async () => {
    registry ??= startLibrary();
    return (await registry).metrics();
  };
}

async function startLibrary(): Promise<Registry> {
  const { collectDefaultMetrics, Registry: LibraryRegistry } = await import('prom-client');
  const registry = new LibraryRegistry();
  collectDefaultMetrics({ register: registry });
  return registry;
}
