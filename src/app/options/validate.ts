import { isIP } from 'node:net';
import { parseCidr } from '../../lib/cidr.ts';
import { checkControllers } from './controllers.ts';
import type {
  AuthorizationOptions,
  Options,
  ServiceAccountOptions,
  ServiceOptions,
  StorageOptions,
} from './options.ts';

/** Largest range of service addresses, in bits: what is in use is kept as one object. */
const MAX_SERVICE_BITS = 20;

/** What is wrong with options beyond what the flag table forbids. All of it, a sentence each. */
export function validate(options: Options): string[] {
  return [
    ...checkStorage(options.storage),
    ...checkServices(options.services),
    ...checkServiceAccounts(options.serviceAccounts),
    ...checkAuthorization(options.authorization),
    ...checkAdmission(options),
    ...checkControllers(options.controllers),
    ...checkServing(options),
    ...checkLogs(options),
  ];
}

function checkStorage(storage: StorageOptions): string[] {
  const problems: string[] = [];
  const { backend, etcdServers, etcdPrefix } = storage;
  if (backend === 'etcd3' && etcdServers.length === 0) {
    problems.push('--storage-backend=etcd3 needs --etcd-servers');
  }
  if (backend === 'lmdb' && etcdServers.length > 0) {
    problems.push("--storage-backend=lmdb can't be given with --etcd-servers");
  }
  for (const server of etcdServers) {
    if (!isEndpoint(server))
      problems.push(`--etcd-servers: ${JSON.stringify(server)} is no URL of an etcd member`);
  }
  if (!etcdPrefix.startsWith('/') || etcdPrefix.length < 2) {
    problems.push(`--etcd-prefix must begin with a slash and go on, not ${JSON.stringify(etcdPrefix)}`);
  }
  return problems;
}

function isEndpoint(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== '' && /^\/?$/.test(url.pathname);
}

function checkServices({ clusterIpRanges }: ServiceOptions): string[] {
  const flag = '--service-cluster-ip-range';
  const problems: string[] = [];
  if (clusterIpRanges.length > 2) problems.push(`${flag} holds more than two ranges`);
  const families = clusterIpRanges.map((text) => {
    const range = parseCidr(text);
    if (range === undefined)
      problems.push(`${flag}: ${JSON.stringify(text)} is no range such as 10.0.0.0/24`);
    else if (range.bits - range.prefix > MAX_SERVICE_BITS) {
      problems.push(`${flag}: ${text} is too large: at least /${range.bits - MAX_SERVICE_BITS}`);
    }
    return range?.bits;
  });
  if (families.length === 2 && families[0] !== undefined && families[0] === families[1]) {
    problems.push(`${flag}: two ranges must be of different families`);
  }
  return problems;
}

/** A mode's file, and the mode that a file is for. */
function checkAuthorization({ modes, policyFile, webhook }: AuthorizationOptions): string[] {
  const files = [
    ['ABAC', 'authorization-policy-file', policyFile],
    ['Webhook', 'authorization-webhook-config-file', webhook.kubeconfig],
  ] as const;
  return files.flatMap(([mode, flag, file]) => {
    if (modes.includes(mode) === (file !== '')) return [];
    return file === ''
      ? [`--authorization-mode=${mode} needs --${flag}`]
      : [`--${flag} needs --authorization-mode=${mode}`];
  });
}

const HOUR_MS = 3_600_000;
/** The longest that a token can be asked for. */
const MAX_TOKEN_MS = 2 ** 32 * 1000;

function checkServiceAccounts({ issuers, jwksUri, maxExpirationMs }: ServiceAccountOptions): string[] {
  const problems = issuers.flatMap((issuer, index) => {
    if (issuer === '') return ["--service-account-issuer can't be empty"];
    if (issuers.indexOf(issuer) < index) return [`--service-account-issuer: ${issuer} is given twice`];
    if (issuer.includes(':') && !URL.canParse(issuer)) {
      return [`--service-account-issuer: ${JSON.stringify(issuer)} holds a colon and is no URL`];
    }
    return [];
  });
  if (jwksUri !== '' && URL.parse(jwksUri)?.protocol !== 'https:') {
    problems.push(`--service-account-jwks-uri: ${JSON.stringify(jwksUri)} is no https URL`);
  }
  if (maxExpirationMs !== 0 && (maxExpirationMs < HOUR_MS || maxExpirationMs > MAX_TOKEN_MS)) {
    problems.push('--service-account-max-token-expiration must be between 1h and 2^32 seconds');
  }
  return problems;
}

function checkAdmission({ admission }: Options): string[] {
  return admission.enabled
    .filter((plugin) => admission.disabled.includes(plugin))
    .map((plugin) => `${plugin} is in --enable-admission-plugins and in --disable-admission-plugins`);
}

function checkServing({ serving, dataDirectory }: Options): string[] {
  const problems: string[] = [];
  if (dataDirectory === '') problems.push("--data-dir can't be empty");
  if (serving.advertiseAddress !== '' && isUnspecified(serving.advertiseAddress)) {
    problems.push(`--advertise-address can't be ${serving.advertiseAddress}: nobody can connect to it`);
  }
  return problems;
}

/** Whether an address stands for all of the machine's. */
export function isUnspecified(address: string): boolean {
  return address === '0.0.0.0' || (isIP(address) === 6 && /^[0:]+$/.test(address));
}

function checkLogs({ logs }: Options): string[] {
  return logs.modules.length > 0 && logs.format !== 'text' ? ['--vmodule needs --logging-format=text'] : [];
}
