import { defineDescriber } from '../describer.ts';
import type { Description } from '../description.ts';
import type { Described } from '../objects.ts';
import type { Endpoint, EndpointSlice } from '../parts/endpoints.ts';
import { writeHead } from '../parts/metadata.ts';

interface Endpoints extends Described {
  readonly subsets?: readonly {
    readonly addresses?: readonly { readonly ip?: string }[];
    readonly notReadyAddresses?: readonly { readonly ip?: string }[];
    readonly ports?: readonly {
      readonly name?: string;
      readonly port?: number;
      readonly protocol?: string;
    }[];
  }[];
}

export const endpoints = defineDescriber<Endpoints>({
  write(page, { metadata, subsets = [] }, world) {
    writeHead(page, metadata, world);
    page.line('Subsets:');
    for (const { addresses = [], notReadyAddresses = [], ports = [] } of subsets) {
      page.row('Addresses', addresses.map(({ ip }) => ip).join(',') || '<none>', 1);
      page.row('NotReadyAddresses', notReadyAddresses.map(({ ip }) => ip).join(',') || '<none>', 1);
      if (ports.length > 0) page.line('Ports:', 1);
      writePorts(page, ports, 2);
      page.line('');
    }
  },
});

export const endpointSlice = defineDescriber<EndpointSlice>({
  write(page, slice, world) {
    const { ports = [], endpoints: served = [] } = slice;
    writeHead(page, slice.metadata, world);
    page.row('AddressType', slice.addressType ?? '');
    page.line(ports.length === 0 ? 'Ports: <unset>' : 'Ports:');
    writePorts(page, ports, 1);
    page.line(served.length === 0 ? 'Endpoints: <none>' : 'Endpoints:');
    for (const endpoint of served) writeEndpoint(page, endpoint);
  },
});

function writePorts(page: Description, ports: NonNullable<EndpointSlice['ports']>, level: number): void {
  if (ports.length === 0) return;
  page.line('Name\tPort\tProtocol', level);
  page.line('----\t----\t--------', level);
  for (const { name, port, protocol = '' } of ports)
    page.line(`${name || '<unset>'}\t${port ?? '<unset>'}\t${protocol}`, level);
}

function writeEndpoint(page: Description, endpoint: Endpoint): void {
  const { addresses = [], conditions, targetRef } = endpoint;
  page.row('- Addresses', addresses.join(', ') || '<none>', 1);
  page.line('Conditions:', 2);
  page.row('Ready', conditions?.ready ?? '<unset>', 3);
  page.row('Hostname', endpoint.hostname ?? '<unset>', 2);
  if (targetRef !== undefined) page.row('TargetRef', `${targetRef.kind ?? ''}/${targetRef.name ?? ''}`, 2);
  page.row('NodeName', endpoint.nodeName ?? '<unset>', 2);
  page.row('Zone', endpoint.zone ?? '<unset>', 2);
}
