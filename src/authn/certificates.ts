import { X509Certificate } from 'node:crypto';
import { pemBlocks } from '../lib/x509/pem.ts';

/** A certificate that authorities vouch for. */
export interface Vouched {
  readonly certificate: X509Certificate;
  /** From when on nobody vouches for it any more: milliseconds since 1970. */
  readonly until: number;
}

/** Of clients, in extended key usages. */
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';
const ANY_USAGE = '2.5.29.37.0';

/** Authorities that vouch for clients. They may be replaced. */
export class Authorities {
  #roots: readonly X509Certificate[];
  #generation = 0;

  readonly #alone: boolean;

  /**
   * @param pem certificates, any number in each text.
   * @param alone whether the listener knows no other authorities: then whom it lets through, they vouch for.
   */
  constructor(pem: readonly string[], alone = false) {
    this.#roots = certificatesIn(pem);
    this.#alone = alone;
  }

  /** Another one whenever the authorities are others: what was vouched for before must be looked at again. */
  get generation(): number {
    return this.#generation;
  }

  /** @throws Error where a text holds a certificate that is damaged. */
  replace(pem: readonly string[]): void {
    this.#roots = certificatesIn(pem);
    this.#generation++;
  }

  /**
   * Looks for who has signed the certificate of a client whom the listener has let through. Of those in between that a
   * client sends along nothing can be seen here: where that matters, they must be among the authorities.
   *
   * @param now milliseconds since 1970. @throws Error that says why nobody vouches for it.
   */
  vouchFor(certificate: X509Certificate, now: number): Vouched {
    const { keyUsage } = certificate;
    // Absent: for everything. Node's types have it that it never is.
    const usages = (keyUsage as string[] | undefined) ?? [ANY_USAGE];
    if (!usages.includes(CLIENT_AUTH) && !usages.includes(ANY_USAGE)) {
      throw new Error('the certificate is not for clients');
    }
    const until = checkTime(certificate, now);
    const root = this.#roots.find((one) => isIssuedBy(certificate, one) || isSame(certificate, one));
    if (root !== undefined) return { certificate, until: Math.min(until, checkTime(root, now)) };
    if (this.#alone && this.#generation === 0) return { certificate, until };
    throw new Error('the certificate is signed by an unknown authority');
  }
}

function certificatesIn(pem: readonly string[]): X509Certificate[] {
  const blocks = pem.flatMap((text) => [...pemBlocks(text)]);
  return blocks.filter(({ label }) => label === 'CERTIFICATE').map(({ bytes }) => new X509Certificate(bytes));
}

/** @returns until when it is valid. */
function checkTime({ validFrom, validTo }: X509Certificate, now: number): number {
  const until = Date.parse(validTo) + 1000;
  if (!(now < until)) throw new Error('the certificate has expired');
  if (!(now >= Date.parse(validFrom))) throw new Error('the certificate is not yet valid');
  return until;
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

function isSame(one: X509Certificate, other: X509Certificate): boolean {
  return one.fingerprint256 === other.fingerprint256;
}
