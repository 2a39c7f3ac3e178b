import { ApiError } from '../errors/api-error.ts';
import { parseAddress } from '../lib/address.ts';
import { objectsAt, textAt } from '../meta/fields.ts';
import { formatGroupVersion, type ApiObject, type Json } from '../meta/object.ts';
import { sameJson } from '../meta/same-json.ts';
import type { NamingProfile } from '../names/profile.ts';
import { findObject, type WritableSource } from './late-objects.ts';

export interface OwnEndpointsParts extends WritableSource {
  readonly names: NamingProfile;
  /** Where the servers listen. */
  readonly port: number;
}

const NAMESPACE = 'default';

/** Whether endpoints have their ports set as well, or only where there are none. */
export type PortsPolicy = 'reset' | 'keep';

/**
 * Makes the endpoints of the servers' own service, and the slice of the same, those of the servers that are there. Other
 * servers do the same at the same time.
 *
 * @throws ApiError where that can't be written.
 */
export async function keepEndpoints(
  parts: OwnEndpointsParts,
  addresses: readonly string[],
  ports: PortsPolicy,
): Promise<void> {
  const { names } = parts;
  const name = names.get('service.apiserver');
  const found = await findObject(parts, { resource: 'endpoints', namespace: NAMESPACE, name });
  const wanted = endpointsOf(parts, addresses, ports === 'keep' ? found : undefined);
  if (found === undefined || !sameEndpoints(found, wanted)) {
    await write(parts, '', 'endpoints', { found, wanted });
  }
  await keepSlice(parts, wanted);
}

function endpointsOf(
  { names, port }: OwnEndpointsParts,
  addresses: readonly string[],
  found: ApiObject | undefined,
): ApiObject {
  const before = objectsAt(found, 'subsets');
  const own: Json[] = [{ name: 'https', port, protocol: 'TCP' }];
  const ports = before.length === 1 && before[0]?.ports !== undefined ? before[0].ports : own;
  return {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: {
      ...found?.metadata,
      name: names.get('service.apiserver'),
      namespace: NAMESPACE,
      // Its slice is made here.
      labels: { ...found?.metadata.labels, [names.get('label.endpoint-slice-skip-mirror')]: 'true' },
    },
    ...(addresses.length === 0 ? {} : { subsets: [{ addresses: addresses.map((ip) => ({ ip })), ports }] }),
  };
}

function sameEndpoints(a: ApiObject, b: ApiObject): boolean {
  return sameJson(a.subsets ?? [], b.subsets ?? []) && sameJson(a.metadata.labels, b.metadata.labels);
}

async function keepSlice(parts: OwnEndpointsParts, endpoints: ApiObject): Promise<void> {
  const group = parts.names.get('group.discovery');
  const resource = 'endpointslices';
  const wanted = sliceOf(parts.names, endpoints);
  const { namespace = '', name = '' } = wanted.metadata;
  const found = await findObject(parts, { group, resource, namespace, name });
  if (found !== undefined && found.addressType !== wanted.addressType) {
    const row = parts.schemas.resource(group, 'v1', resource);
    if (row !== undefined) await ignoring('NotFound', () => parts.server.delete(row, found));
    await write(parts, group, resource, { found: undefined, wanted });
  } else if (found === undefined || !sameSlices(found, wanted)) {
    await write(parts, group, resource, { found, wanted });
  }
}

function sliceOf(names: NamingProfile, endpoints: ApiObject): ApiObject {
  const name = names.get('service.apiserver');
  const [subset] = objectsAt(endpoints, 'subsets');
  const all = objectsAt(subset, 'addresses').map((address) => textAt(address, 'ip'));
  const isV6 = (text: string): boolean => parseAddress(text)?.bits === 128;
  const onlyV6 = all.length > 0 && all.every(isV6);
  return {
    apiVersion: formatGroupVersion(names.get('group.discovery'), 'v1'),
    kind: 'EndpointSlice',
    metadata: { name, namespace: NAMESPACE, labels: { [names.get('label.service-name')]: name } },
    addressType: onlyV6 ? 'IPv6' : 'IPv4',
    endpoints: all
      .filter((text) => isV6(text) === onlyV6)
      .map((text) => ({ addresses: [text], conditions: { ready: true } })),
    ports: subset?.ports ?? [],
  };
}

function sameSlices(a: ApiObject, b: ApiObject): boolean {
  return (
    sameJson(a.endpoints ?? [], b.endpoints ?? []) &&
    sameJson(a.ports ?? [], b.ports ?? []) &&
    sameJson(a.metadata.labels, b.metadata.labels)
  );
}

/** Writes an object over the one that was found. Who was faster has done the same. */
async function write(
  { schemas, server }: WritableSource,
  group: string,
  resource: string,
  { found, wanted }: { readonly found: ApiObject | undefined; readonly wanted: ApiObject },
): Promise<void> {
  const row = schemas.resource(group, 'v1', resource);
  if (row === undefined) return;
  if (found === undefined) {
    await ignoring('AlreadyExists', () => server.create(row, wanted));
    return;
  }
  const { resourceVersion = '' } = found.metadata;
  const object = { ...wanted, metadata: { ...wanted.metadata, resourceVersion } };
  await ignoring('Conflict', () => server.update(row, object));
}

async function ignoring(reason: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ApiError) || error.reason !== reason) throw error;
  }
}
