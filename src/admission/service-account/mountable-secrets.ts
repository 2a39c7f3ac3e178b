import { objectAt, objectsAt, textAt } from '../../meta/fields.ts';
import type { JsonObject } from '../../meta/object.ts';

/** Whether a pod uses no secrets but those that its account lists. @returns why not */
export function checkSecrets(spec: JsonObject, account: JsonObject): string | undefined {
  const mountable = namesIn(account, 'secrets');
  for (const volume of objectsAt(spec, 'volumes')) {
    const source = objectAt(volume, 'secret');
    const secret = textAt(source, 'secretName');
    if (source !== undefined && !mountable.has(secret))
      return `the volume ${textAt(volume, 'name')} shows the secret ${JSON.stringify(secret)}, ${notListed(account)}`;
  }
  return (
    checkContainers(objectsAt(spec, 'initContainers'), 'init container', account) ??
    checkContainers(objectsAt(spec, 'containers'), 'container', account) ??
    checkPullSecrets(spec, account)
  );
}

/** The same for containers that are added to a pod to look into it. */
export function checkEphemeralSecrets(spec: JsonObject, account: JsonObject): string | undefined {
  const containers = objectsAt(spec, 'ephemeralContainers');
  return checkContainers(containers, 'ephemeral container', account);
}

function notListed(account: JsonObject): string {
  return `which the service account ${textAt(objectAt(account, 'metadata'), 'name')} does not list`;
}

function checkContainers(
  containers: readonly JsonObject[],
  what: string,
  account: JsonObject,
): string | undefined {
  const mountable = namesIn(account, 'secrets');
  for (const container of containers) {
    const alien = secretsOfContainer(container).find(({ secret }) => !mountable.has(secret));
    if (alien === undefined) continue;
    const variable = alien.variable === undefined ? 'variables' : `the variable ${alien.variable}`;
    const secret = JSON.stringify(alien.secret);
    return `${what} ${textAt(container, 'name')} takes ${variable} from the secret ${secret}, ${notListed(account)}`;
  }
  return undefined;
}

function checkPullSecrets(spec: JsonObject, account: JsonObject): string | undefined {
  const listed = namesIn(account, 'imagePullSecrets');
  const alien = objectsAt(spec, 'imagePullSecrets').find((secret) => !listed.has(textAt(secret, 'name')));
  if (alien === undefined) return undefined;
  return `images are pulled with the secret ${JSON.stringify(textAt(alien, 'name'))}, ${notListed(account)}`;
}

function namesIn(account: JsonObject, field: string): ReadonlySet<string> {
  return new Set(objectsAt(account, field).map((reference) => textAt(reference, 'name')));
}

/** A Secret that a container takes its environment from. */
interface EnvironmentSecret {
  readonly secret: string;
  /** The variable that is taken from it; undefined for all of it. */
  readonly variable: string | undefined;
}

/** The Secrets that a container takes variables from. */
function secretsOfContainer(container: JsonObject): EnvironmentSecret[] {
  const found: EnvironmentSecret[] = [];
  for (const variable of objectsAt(container, 'env')) {
    const reference = objectAt(objectAt(variable, 'valueFrom'), 'secretKeyRef');
    if (reference !== undefined)
      found.push({ secret: textAt(reference, 'name'), variable: textAt(variable, 'name') });
  }
  for (const source of objectsAt(container, 'envFrom')) {
    const reference = objectAt(source, 'secretRef');
    if (reference !== undefined) found.push({ secret: textAt(reference, 'name'), variable: undefined });
  }
  return found;
}
