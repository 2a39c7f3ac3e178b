import type { Exchange } from '../exchange.ts';

const TRUE = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);

/** Whether JSON is to be indented: by `?pretty=`, else for clients behind which a person sits. */
export function wantsPretty(exchange: Exchange): boolean {
  const asked = exchange.queryValue('pretty');
  if (asked !== null && asked !== '') return TRUE.has(asked);
  const agent = exchange.userAgent;
  return agent.startsWith('curl') || agent.startsWith('Wget') || agent.startsWith('Mozilla/5.0');
}
