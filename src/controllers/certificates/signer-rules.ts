import type { CertificateRequest } from '../../lib/x509/certificate-request.ts';

/** Why a signer doesn't sign a request that is for these usages; undefined: it does. */
export type SignerRule = (request: CertificateRequest, usages: readonly string[]) => string | undefined;

const NODE_PREFIX = 'system:node:';

/** Clients of the server: the usages are those of clients. Whether somebody may be this client, approvers decide. */
export const clientRule: SignerRule = (_request, usages) => {
  const other = usages.find((usage) => !CLIENT_USAGES.includes(usage));
  if (other !== undefined) return `the usage ${JSON.stringify(other)} is none of clients`;
  return usages.includes('client auth') ? undefined : 'the usage "client auth" is missing';
};

const CLIENT_USAGES: readonly string[] = ['digital signature', 'key encipherment', 'client auth'];

/** Nodes as clients of the server: they are nodes, and nothing besides. */
export const nodeClientRule: SignerRule = (request, usages) => {
  const { dnsNames, emailAddresses, ipAddresses, uris } = request;
  if (dnsNames.length + emailAddresses.length + ipAddresses.length + uris.length > 0) {
    return 'subjectAltNames are not allowed for nodes as clients';
  }
  return refuseNode(request) ?? refuseUsages(usages, 'client auth');
};

/** Nodes as servers, at their names and addresses. */
export const nodeServerRule: SignerRule = (request, usages) => {
  const { dnsNames, emailAddresses, ipAddresses, uris } = request;
  if (dnsNames.length + ipAddresses.length === 0)
    return 'a DNS name or IP address is required in subjectAltNames';
  if (emailAddresses.length + uris.length > 0)
    return 'only DNS names and IP addresses are allowed in subjectAltNames';
  return refuseNode(request) ?? refuseUsages(usages, 'server auth');
};

/** What was asked of the legacy signer before signers had names. */
export const legacyRule: SignerRule = () => undefined;

function refuseNode({ organizations, commonName }: CertificateRequest): string | undefined {
  if (organizations.length !== 1 || organizations[0] !== 'system:nodes') {
    return 'the organization of the subject must be system:nodes alone';
  }
  return commonName.startsWith(NODE_PREFIX)
    ? undefined
    : `the common name of the subject must begin with ${NODE_PREFIX}`;
}

/** Only RSA keys encipher others, so that usage may be left out. */
function refuseUsages(usages: readonly string[], auth: string): string | undefined {
  const wanted = ['digital signature', auth];
  const others = usages.filter((usage) => usage !== 'key encipherment');
  return others.length === wanted.length && wanted.every((usage) => others.includes(usage))
    ? undefined
    : `the usages must be "digital signature", "key encipherment" and ${JSON.stringify(auth)}`;
}
