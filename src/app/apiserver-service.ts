import { ApiError } from '../errors/api-error.ts';
import { addressAt, parseCidr } from '../lib/cidr.ts';
import type { ApiObject } from '../meta/object.ts';
import type { NamingProfile } from '../names/profile.ts';
import { findEntry, type Freshness, type WritableSource } from './late-objects.ts';

const HTTPS_PORT = 443;

export interface ApiserverServiceOptions {
  readonly names: NamingProfile;
  /** CIDRs of the cluster's service addresses, the first one first. */
  readonly clusterIpRanges: readonly string[];
  /** 0: none. */
  readonly nodePort: number;
  /** Where the servers listen. */
  readonly port: number;
}

/** The address of the service that stands for the API servers: the first of the first range. '' if there is none. */
export function apiserverServiceAddress([range = '']: readonly string[]): string {
  const cidr = parseCidr(range);
  return cidr === undefined ? '' : addressAt(cidr, 1n);
}

/** The service by which what runs in the cluster finds the API servers. */
export function apiserverService({
  names,
  clusterIpRanges,
  nodePort,
  port,
}: ApiserverServiceOptions): ApiObject {
  const name = names.get('service.apiserver');
  const clusterIP = apiserverServiceAddress(clusterIpRanges);
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'default', labels: { component: 'apiserver', provider: name } },
    spec: {
      clusterIP,
      ipFamilyPolicy: 'SingleStack',
      ports: [
        {
          name: 'https',
          port: HTTPS_PORT,
          protocol: 'TCP',
          targetPort: port,
          ...(nodePort === 0 ? {} : { nodePort }),
        },
      ],
      sessionAffinity: 'None',
      type: nodePort === 0 ? 'ClusterIP' : 'NodePort',
    },
  };
}

/** Gives back what a service asks for, if nobody has it. @returns whether something was given back. */
export type FreeUnused = (asking: ApiObject) => Promise<boolean>;

/**
 * Creates the service where there is none. Several servers may do so at the same time: whoever comes second finds its
 * address taken, and then the service. One that was killed in between has left the address taken for nobody.
 *
 * @throws ApiError where another service has the address, or who has it isn't clear yet.
 */
export async function createApiserverService(
  source: WritableSource,
  service: ApiObject,
  freeUnused: FreeUnused,
): Promise<void> {
  const resource = source.schemas.resource('', 'v1', 'services');
  if (resource === undefined) return;
  const { namespace = '', name = '' } = service.metadata;
  const exists = async (freshness: Freshness): Promise<boolean> =>
    (await findEntry(source, { resource: 'services', namespace, name }, freshness)) !== undefined;
  if (await exists('cached')) return;
  try {
    await source.server.create(resource, service);
  } catch (error) {
    if (error instanceof ApiError && error.reason === 'AlreadyExists') return;
    if (!isTaken(error)) throw error;
    if (await exists('live')) return;
    const isFreed = await freeUnused(service);
    if (await exists('live')) return;
    if (!isFreed) throw error;
    await source.server.create(resource, service);
  }
}

/** What a refusal is about that somebody else's address or port may be the cause of. */
const GIVEN_FIELD = /^spec\.(clusterIPs?(\[\d+\])?|ports\[\d+\]\.nodePort)$/;

function isTaken(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.reason !== 'Invalid') return false;
  return error.details?.causes?.some(({ field = '' }) => GIVEN_FIELD.test(field)) ?? false;
}
