import { authenticateUnion, type Authenticator } from '../authn/authenticator.ts';
import { clientCertificates } from '../authn/client-certificate.ts';
import type { TlsOptions } from '../http/server/tls-server.ts';
import type { Log } from '../telemetry/log/log.ts';
import { ensureCertificates, type GeneratedCertificates } from './certificates.ts';
import { readCredentialFiles, type CredentialFiles } from './credential-files.ts';
import { writeKubeconfig } from './kubeconfig.ts';
import type { CompletedConfig } from './options/complete.ts';

/** Who the server is, and how it finds out who its clients are. */
export interface ServerIdentity {
  readonly tls: TlsOptions;
  readonly authenticate: ReturnType<typeof authenticateUnion>;
  /** Absent where the serving certificate is given. */
  readonly generated: GeneratedCertificates | undefined;
}

/**
 * Reads what the flags name for proving who is who, and makes what they leave out.
 *
 * @param certificates used instead of those in the certificate folder.
 * @throws AggregateError with an error for every bad file; Error where certificates can't be made.
 */
export async function openIdentity(
  config: CompletedConfig,
  {
    log,
    now,
    certificates,
  }: { readonly log: Log; readonly now: Date; readonly certificates: GeneratedCertificates | undefined },
): Promise<ServerIdentity> {
  const files = await readCredentialFiles(config);
  // Whoever gives a serving certificate has an authority of its own.
  const generated =
    config.serving.certificateFile === ''
      ? (certificates ?? (await ownCertificates(config, now)))
      : undefined;
  const tls = tlsOptions(config, files, generated);
  return { tls, generated, authenticate: authentication(config, { ...files, tls, log }) };
}

function ownCertificates(
  { certificateDirectory, servingHosts }: CompletedConfig,
  now: Date,
): Promise<GeneratedCertificates> {
  return ensureCertificates({ directory: certificateDirectory, hosts: servingHosts, now });
}

function tlsOptions(
  { serving }: CompletedConfig,
  files: CredentialFiles,
  generated: GeneratedCertificates | undefined,
): TlsOptions {
  const own =
    generated === undefined
      ? files.serving
      : { cert: generated.serving.certificate, key: generated.serving.key };
  if (own === undefined) throw new Error('there is no certificate to serve with');
  const authorities = [
    ...(generated === undefined ? [] : [generated.authority]),
    ...(files.clientCa === undefined ? [] : [files.clientCa]),
  ];
  return {
    ...own,
    ...(authorities.length === 0 ? {} : { clientCa: authorities }),
    minVersion: serving.minVersion === 'VersionTLS13' ? 'TLSv1.3' : 'TLSv1.2',
  };
}

function authentication(
  { authentication: options }: CompletedConfig,
  { tls, tokens, log }: { tls: TlsOptions; tokens?: Authenticator; log: Log },
): ReturnType<typeof authenticateUnion> {
  const methods: Authenticator[] = [];
  if (tls.clientCa !== undefined) methods.push(clientCertificates());
  if (tokens !== undefined) methods.push(tokens);
  return authenticateUnion({
    methods,
    anonymous: options.anonymous,
    onRefusal: (reason) => log.v(3, () => ['a credential was refused', { reason }]),
  });
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
