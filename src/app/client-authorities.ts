import { X509Certificate } from 'node:crypto';
import { Authorities } from '../authn/certificates.ts';
import type { Clock } from '../lib/clock.ts';
import { pemBlocks } from '../lib/x509/pem.ts';
import type { Log } from '../telemetry/log/log.ts';
import { followFile } from './follow-file.ts';

/** A file with authorities. */
export interface AuthorityFile {
  /** The flag that names it. */
  readonly flag: string;
  /** '' where the flag is not set. */
  readonly path: string;
  /** What it held at the start, PEM. */
  readonly text: string;
}

export interface ClientAuthorityParts {
  /** PEM of the server's own, which vouches for its administrator; absent where it has none. */
  readonly own: string | undefined;
  readonly clients: AuthorityFile;
  readonly proxies: AuthorityFile;
}

export interface FollowAuthorities {
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'error'>;
  /** Takes all authorities whose certificates clients may show in new connections, PEM. */
  readonly use: (authorities: readonly string[]) => void;
}

/** Who vouches for clients, and who for authenticating proxies. */
export class ClientAuthorities {
  readonly clients: Authorities;
  readonly proxies: Authorities;
  readonly #own: readonly string[];
  readonly #files: Record<'clients' | 'proxies', AuthorityFile>;
  readonly #listeners = new Set<() => void>();

  constructor({ own, clients, proxies }: ClientAuthorityParts) {
    this.#own = own === undefined ? [] : [own];
    this.#files = { clients, proxies };
    this.clients = new Authorities([...this.#own, clients.text], proxies.path === '');
    this.proxies = new Authorities([proxies.text]);
  }

  /** All of them, PEM: those that clients are told of when they connect. */
  get all(): readonly string[] {
    return [...this.#own, this.#files.clients.text, this.#files.proxies.text].filter((text) => text !== '');
  }

  /** Those that vouch for clients, or for proxies, PEM. */
  text(which: 'clients' | 'proxies'): string {
    const { text } = this.#files[which];
    return which === 'clients' ? [...this.#own, text].join('\n') : text;
  }

  /** Tells when there are others. @returns what ends that. */
  onChange(changed: () => void): () => void {
    this.#listeners.add(changed);
    return () => this.#listeners.delete(changed);
  }

  /** Reads the files again when they change. A file that is damaged changes nothing. @returns what ends it. */
  follow(parts: FollowAuthorities): () => void {
    const ends = (['clients', 'proxies'] as const).map((which) => this.#follow(which, parts));
    return () => {
      for (const end of ends) end();
    };
  }

  #follow(which: 'clients' | 'proxies', { clock, log, use }: FollowAuthorities): () => void {
    const { flag, path, text } = this.#files[which];
    if (path === '') return () => undefined;
    const stays = (error: unknown): void =>
      log.error(`the authorities of --${flag} stay as they were`, error, { file: path });
    return followFile({
      ...{ path, text, clock, onError: stays },
      onText: (next) => {
        try {
          checkAuthorities(next);
          this.#files[which] = { flag, path, text: next };
          this[which].replace(which === 'clients' ? [...this.#own, next] : [next]);
          use(this.all);
          for (const changed of this.#listeners) changed();
          log.info(`using the new authorities of --${flag}`, { file: path });
        } catch (error) {
          stays(error);
        }
        return Promise.resolve(true);
      },
    });
  }
}

/** @throws Error for a text without certificates, or with one that is damaged, as in files that are half written. */
function checkAuthorities(text: string): void {
  const blocks = [...pemBlocks(text)].filter(({ label }) => label === 'CERTIFICATE');
  if (blocks.length === 0) throw new Error('holds no certificate in PEM form');
  const begun = text.split('-----BEGIN CERTIFICATE-----').length - 1;
  if (blocks.length < begun) throw new Error('holds a certificate that is not whole');
  for (const { bytes } of blocks) new X509Certificate(bytes);
}
