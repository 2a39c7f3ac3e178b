import { createHash } from 'node:crypto';
import { objectAt } from '../meta/fields.ts';
import { deleteWhenDue } from '../controllers/delete-when-due.ts';
import type { RunningController } from '../controllers/controller.ts';
import { formatGroupVersion, type ApiObject } from '../meta/object.ts';
import type { ResourceDefinition } from '../schema/model.ts';
import { findEntry, type WritableSource } from './late-objects.ts';
import type { ServerCommons } from './server-commons.ts';

export interface IdentityLeaseParts extends Pick<ServerCommons, 'names' | 'clock' | 'log'> {
  readonly source: WritableSource;
  /** Of the machine. */
  readonly hostname: string;
  /** This process's, among all that ever were. */
  readonly uid: string;
  /** Whether other servers may be on the same store. */
  readonly shared: boolean;
}

/** How long a server counts as there after it last said so. */
const DURATION_SECONDS = 3600;
/** How often it says so where others may listen, milliseconds. */
const RENEWAL_MS = 10_000;
/** The same where nobody else is on the store. */
const LONE_RENEWAL_MS = 900_000;
/** What such leases are labelled with, whatever the program is called. */
const COMPONENT = 'kube-apiserver';

/** The name of the Lease by which a machine's server is known. */
export function identityLeaseName(hostname: string): string {
  return `apiserver-${base32(createHash('sha256').update(hostname).digest().subarray(0, 16))}`;
}

/** The Lease by which others know that this server is there; those of servers that are gone are deleted. */
export class IdentityLease {
  readonly #parts: IdentityLeaseParts;
  readonly #row: ResourceDefinition;
  readonly #namespace: string;
  readonly #name: string;
  readonly #label: string;
  #cleaning: RunningController | undefined;
  #cancel: (() => void) | undefined;
  #stopped = false;

  /** @throws Error where leases aren't served. */
  constructor(parts: IdentityLeaseParts) {
    const { names, source, hostname } = parts;
    const row = source.schemas.resource(names.get('group.coordination'), 'v1', 'leases');
    if (row === undefined) throw new Error('leases are not served');
    this.#parts = parts;
    this.#row = row;
    this.#namespace = names.get('namespace.system');
    this.#name = identityLeaseName(hostname);
    this.#label = names.get('label.apiserver-identity');
  }

  start(): void {
    const { names, source, clock, log } = this.#parts;
    const label = this.#label;
    this.#cleaning = deleteWhenDue(
      { ...source, names, clock, log },
      {
        row: this.#row,
        endOf: endOfLease,
        followed: {
          namespace: this.#namespace,
          filter: { matches: ({ labels }) => labels?.[label] === COMPONENT },
        },
      },
    );
    void this.#round();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
    this.#cleaning?.close();
  }

  async #round(): Promise<void> {
    const { clock, log, shared } = this.#parts;
    try {
      await this.#renew();
    } catch (error) {
      if (!this.#stopped)
        log.v(2, () => ["the lease of this server's identity could not be renewed", { error }]);
    }
    if (this.#stopped) return;
    this.#cancel = clock.after(shared ? RENEWAL_MS : LONE_RENEWAL_MS, () => void this.#round());
  }

  async #renew(): Promise<void> {
    const { source, clock, uid, names } = this.#parts;
    const { group, resource } = this.#row;
    const what = { group, resource, namespace: this.#namespace, name: this.#name };
    const entry = await findEntry(source, what, 'cached');
    const spec = {
      holderIdentity: `${this.#name}_${uid}`,
      leaseDurationSeconds: DURATION_SECONDS,
      renewTime: new Date(clock.now()).toISOString().replace('Z', '000Z'),
    };
    if (entry !== undefined) {
      const lease = source.store.decode(entry, this.#row);
      lease.spec = { ...objectAt(lease, 'spec'), ...spec };
      await source.server.update(this.#row, lease);
      return;
    }
    const labels = { [this.#label]: COMPONENT, [names.get('label.hostname')]: this.#parts.hostname };
    await source.server.create(this.#row, {
      apiVersion: formatGroupVersion(group, this.#row.version),
      kind: this.#row.kind,
      metadata: { name: this.#name, namespace: this.#namespace, labels },
      spec,
    });
  }
}

/** When a lease ends, milliseconds since 1970; at once where it doesn't say. */
export function endOfLease(lease: ApiObject): number {
  const { renewTime, leaseDurationSeconds: seconds } = objectAt(lease, 'spec') ?? {};
  const renewed = typeof renewTime === 'string' ? Date.parse(renewTime) : NaN;
  return Number.isNaN(renewed) || typeof seconds !== 'number' ? 0 : renewed + seconds * 1000;
}

const DIGITS = 'abcdefghijklmnopqrstuvwxyz234567';

/** RFC 4648, in lower case and without padding. */
function base32(bytes: Buffer): string {
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff;
    for (bits += 8; bits >= 5; bits -= 5) text += DIGITS[(value >> (bits - 5)) & 31];
  }
  return bits === 0 ? text : text + DIGITS[(value << (5 - bits)) & 31];
}
