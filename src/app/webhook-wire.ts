import type { Clock } from '../lib/clock.ts';
import type { Wire } from '../outbound/review-webhook.ts';

/** A webhook as a kubeconfig names it. */
export interface WebhookAddress {
  readonly wire: Wire;
  /** Of the wire's server, whose own path is the webhook's. */
  readonly path: string;
  /** Ends its connections. */
  close(): Promise<void>;
}

/**
 * Reads a file in the format of a kubeconfig: the cluster of its current context is the webhook, its user is who calls.
 *
 * @throws ConfigError for what is missing, damaged or expired.
 */
export async function openWebhook(path: string, clock: Clock): Promise<WebhookAddress> {
  const { connectKubeconfig } = await import('../client/kubeconfig/connect.ts');
  const { transport, server } = await connectKubeconfig({ path, clock, userAgent: 'orchd' });
  const hasPath = /^[a-z]+:\/\/[^/]+\/./i.test(server);
  return { wire: transport, path: hasPath ? '' : '/', close: () => transport.close() };
}
