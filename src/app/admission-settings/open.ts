import { choosePlugins, PLUGIN_ORDER } from '../../admission/order.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NamingProfile } from '../../names/profile.ts';
import type { CompletedConfig } from '../options/complete.ts';
import { openWebhook, type WebhookAddress } from '../webhook-wire.ts';
import { readAdmissionSettings } from './read.ts';
import type { AdmissionSettings } from './settings.ts';

/** What plugins are set up with, and the webhook that judges images where there is one. */
export interface OpenedSettings extends AdmissionSettings {
  readonly imageWebhook: WebhookAddress | undefined;
}

export interface SettingsParts {
  readonly config: Pick<CompletedConfig, 'admission'>;
  readonly names: NamingProfile;
  readonly clock: Clock;
}

/**
 * Reads `--admission-control-config-file`.
 *
 * @throws Error for what is wrong in it, and for plugins that run and can't without being set up.
 */
export async function openAdmissionSettings({
  config,
  names,
  clock,
}: SettingsParts): Promise<OpenedSettings> {
  const { configurationFile, ...choice } = config.admission;
  const settings = await readAdmissionSettings(configurationFile, names);
  const running = choosePlugins(
    PLUGIN_ORDER.map((name) => ({ name })),
    choice,
  ).map(({ name }) => name);
  const { eventLimits, imagePolicy } = settings;
  if (running.includes('EventRateLimit') && eventLimits.length === 0) throw unset('EventRateLimit');
  if (!running.includes('ImagePolicyWebhook')) return { ...settings, imageWebhook: undefined };
  if (imagePolicy === undefined) throw unset('ImagePolicyWebhook');
  const imageWebhook = await openWebhook(imagePolicy.kubeconfigFile, clock).catch((cause: unknown) => {
    throw new Error('ImagePolicyWebhook: imagePolicy.kubeConfigFile', { cause });
  });
  return { ...settings, imageWebhook };
}

function unset(plugin: string): Error {
  return new Error(`${plugin} runs only where --admission-control-config-file sets it up`);
}
