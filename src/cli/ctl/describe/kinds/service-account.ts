import { defineDescriber } from '../describer.ts';
import type { Described } from '../objects.ts';
import { writeHead } from '../parts/metadata.ts';
import type { World } from '../world.ts';

interface ServiceAccount extends Described {
  readonly secrets?: readonly { readonly name?: string }[];
  readonly imagePullSecrets?: readonly { readonly name?: string }[];
}

interface Secret extends Described {
  readonly type?: string;
}

/** As wide as the widest title of the lists. */
const WIDTH = 'Image pull secrets:'.length;

export const serviceAccount = defineDescriber<ServiceAccount>({
  async write(page, account, world) {
    const { metadata, secrets = [], imagePullSecrets = [] } = account;
    writeHead(page, metadata, world);
    const existing = await secretsOf(metadata.namespace, world);
    const isMissing = (name: string): boolean =>
      existing !== undefined && existing.every((secret) => secret.metadata.name !== name);
    const lists: readonly (readonly [string, readonly string[]])[] = [
      ['Image pull secrets', imagePullSecrets.map(({ name = '' }) => name)],
      ['Mountable secrets', secrets.map(({ name = '' }) => name)],
      ['Tokens', tokensOf(account, existing ?? [], world)],
    ];
    for (const [title, names] of lists) {
      const label = `${title}:`.padEnd(WIDTH);
      if (names.length === 0) page.line(`${label}\t<none>`);
      for (const [i, name] of names.entries()) {
        const found = title !== 'Tokens' && isMissing(name) ? `${name} (not found)` : name;
        page.line(`${i === 0 ? label : ' '.repeat(WIDTH)}\t${found}`);
      }
    }
  },
});

/** Undefined for who may not see secrets. */
function secretsOf(namespace: string | undefined, world: World): Promise<Secret[] | undefined> {
  return world.list<Secret>({ group: '', kind: 'Secret' }, { namespace }).catch(() => undefined);
}

/** The secrets that hold tokens of an account. */
function tokensOf({ metadata }: ServiceAccount, secrets: readonly Secret[], { names }: World): string[] {
  const type = names.get('secretType.service-account-token');
  const [name, uid] = [
    names.get('annotation.service-account-name'),
    names.get('annotation.service-account-uid'),
  ];
  return secrets
    .filter((secret) => secret.type === type)
    .filter(({ metadata: { annotations = {} } }) => {
      return annotations[name] === metadata.name && annotations[uid] === metadata.uid;
    })
    .map((secret) => secret.metadata.name ?? '');
}
