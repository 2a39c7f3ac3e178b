import { X509Certificate } from 'node:crypto';
import { claimNames } from '../authn/service-account/claims.ts';
import { tokenIssuer, type TokenIssuer } from '../authn/service-account/issuer.ts';
import type { KeySet } from '../authn/service-account/keys.ts';
import type { TlsOptions } from '../http/server/tls-server.ts';
import type { Clock } from '../lib/clock.ts';
import { pemBlocks } from '../lib/x509/pem.ts';
import type { NamingProfile } from '../names/profile.ts';
import type { Log } from '../telemetry/log/log.ts';
import { openAuthentication, type Authentication } from './authentication.ts';
import { ensureCertificates, type GeneratedCertificates } from './certificates.ts';
import { ClientAuthorities } from './client-authorities.ts';
import { readCredentialFiles, type CredentialFiles } from './credential-files.ts';
import { writeKubeconfig } from './kubeconfig.ts';
import type { LateObjects } from './late-objects.ts';
import type { AuthenticationObserver } from './metrics/authentication.ts';
import type { CompletedConfig } from './options/complete.ts';
import { openTokenKeys } from './token-keys.ts';

/** Who the server is, and how it finds out who its clients are. */
export interface ServerIdentity {
  readonly tls: TlsOptions;
  readonly authentication: Authentication;
  /** Signs tokens of service accounts. */
  readonly tokenIssuer: TokenIssuer;
  /** The keys that those are verified with. */
  readonly tokenKeys: KeySet;
  /** The authority that clients are told to trust, PEM. */
  readonly authority: string;
  /** They vouch for clients. */
  readonly authorities: ClientAuthorities;
  /** Absent where the serving certificate is given. */
  readonly generated: GeneratedCertificates | undefined;
}

export interface IdentityParts {
  readonly names: NamingProfile;
  readonly log: Log;
  readonly clock: Clock;
  readonly random: () => number;
  readonly objects: LateObjects;
  readonly observer: AuthenticationObserver;
  readonly certificates: GeneratedCertificates | undefined;
}

/**
 * Reads what the flags name for proving who is who, and makes what they leave out.
 *
 * @param certificates used instead of those in the certificate folder.
 * @throws AggregateError with an error for every bad file; Error where certificates can't be made.
 */
export async function openIdentity(config: CompletedConfig, parts: IdentityParts): Promise<ServerIdentity> {
  const { clock, certificates } = parts;
  const files = await readCredentialFiles(config);
  // Whoever gives a serving certificate has an authority of its own.
  const generated =
    config.serving.certificateFile === ''
      ? (certificates ?? (await ownCertificates(config, new Date(clock.now()))))
      : undefined;
  const authorities = clientAuthorities(config, files, generated?.authority);
  const tls = tlsOptions(config, { files, generated, authorities });
  const { signing, verifying } = await openTokenKeys(config, {
    servingKey: files.serving?.key,
    generated: generated?.tokenKey,
  });
  const [issuer = ''] = config.serviceAccounts.issuers;
  return {
    tokenIssuer: tokenIssuer(signing, issuer, claimNames(parts.names)),
    tokenKeys: verifying,
    tls,
    authority: files.rootCa ?? generated?.authority ?? lastCertificate(tls),
    generated,
    authorities,
    authentication: await openAuthentication(config, { ...parts, files, authorities, tokenKeys: verifying }),
  };
}

/** Of a chain, the one nearest to its authority. */
function lastCertificate({ cert }: TlsOptions): string {
  const last = [...pemBlocks(cert.toString())].findLast(({ label }) => label === 'CERTIFICATE');
  return last === undefined ? '' : new X509Certificate(last.bytes).toString();
}

function ownCertificates(
  { certificateDirectory, servingHosts }: CompletedConfig,
  now: Date,
): Promise<GeneratedCertificates> {
  return ensureCertificates({ directory: certificateDirectory, hosts: servingHosts, now });
}

function clientAuthorities(
  { authentication, providers }: CompletedConfig,
  { clientCa = '', proxyCa = '' }: CredentialFiles,
  own: string | undefined,
): ClientAuthorities {
  const clients = { flag: 'client-ca-file', path: authentication.clientCaFile, text: clientCa };
  const path = providers.proxies.clientCaFile;
  return new ClientAuthorities({
    own,
    clients,
    proxies: { flag: 'requestheader-client-ca-file', path, text: proxyCa },
  });
}

interface TlsParts {
  readonly files: CredentialFiles;
  readonly generated: GeneratedCertificates | undefined;
  readonly authorities: ClientAuthorities;
}

function tlsOptions({ serving }: CompletedConfig, { files, generated, authorities }: TlsParts): TlsOptions {
  const own =
    generated === undefined
      ? files.serving
      : { cert: generated.serving.certificate, key: generated.serving.key };
  if (own === undefined) throw new Error('there is no certificate to serve with');
  const { all } = authorities;
  return {
    ...own,
    ...(all.length === 0 ? {} : { clientCa: all }),
    minVersion: serving.minVersion === 'VersionTLS13' ? 'TLSv1.3' : 'TLSv1.2',
  };
}

/** Writes the administrator's kubeconfig, where there is to be one. @returns its path. */
export async function offerKubeconfig(
  { kubeconfigFile }: CompletedConfig,
  { generated }: ServerIdentity,
  server: string,
): Promise<string | undefined> {
  if (kubeconfigFile === undefined || generated === undefined) return undefined;
  const { authority, admin } = generated;
  await writeKubeconfig(kubeconfigFile, { server, authority, client: admin });
  return kubeconfigFile;
}
