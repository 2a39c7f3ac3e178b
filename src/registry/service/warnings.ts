import { isIP } from 'node:net';
import { formatAddress, parseAddress } from '../../lib/address.ts';
import { textAt } from '../../meta/fields.ts';
import type { ApiObject } from '../../meta/object.ts';
import type { NamingProfile } from '../../names/profile.ts';
import { HEADLESS, needsClusterIP, specOf, textsAt } from './spec.ts';

/** What users are told of fields that mean less than they seem to. */
export function serviceWarnings(names: NamingProfile): (service: ApiObject) => string[] {
  const old = names.get('annotation.topology-aware-hints');
  const mode = names.get('annotation.topology-mode');
  return function warningsOf(service) {
    const spec = specOf(service);
    const warnings: string[] = [];
    if (service.metadata.annotations?.[old] !== undefined) {
      warnings.push(`the annotation ${old} is deprecated: use ${mode}`);
    }
    const addresses = textsAt(spec, 'clusterIPs');
    if (needsClusterIP(spec) && addresses[0] !== HEADLESS) {
      for (const [i, text] of addresses.entries())
        warnings.push(...oddAddress(text, `spec.clusterIPs[${i}]`));
    }
    for (const [i, text] of textsAt(spec, 'externalIPs').entries()) {
      warnings.push(...oddAddress(text, `spec.externalIPs[${i}]`));
    }
    const balancer = textAt(spec, 'loadBalancerIP');
    if (balancer !== '') warnings.push(...oddAddress(balancer, 'spec.loadBalancerIP'));
    for (const [i, text] of textsAt(spec, 'loadBalancerSourceRanges').entries()) {
      warnings.push(...oddRange(text, `spec.loadBalancerSourceRanges[${i}]`));
    }
    const isName = !needsClusterIP(spec);
    if (isName && textsAt(spec, 'externalIPs').length > 0) {
      warnings.push('spec.externalIPs has no effect on the type ExternalName');
    }
    if (!isName && textAt(spec, 'externalName') !== '') {
      warnings.push('spec.externalName has an effect on the type ExternalName only');
    }
    return warnings;
  };
}

/** Forms that not everybody reads alike. */
function oddAddress(text: string, field: string): string[] {
  if (isIP(text) === 0) return [`${field}: ${JSON.stringify(text)} will not count as an address for long`];
  if (!text.includes(':')) return [];
  const address = parseAddress(text);
  // What stands for an IPv4 address has two usual forms; its own is the one with a prefix.
  if (address === undefined || address.bits === 32) return [];
  const usual = formatAddress(address);
  return usual === text ? [] : [`${field}: ${text} is usually written ${usual} (RFC 5952)`];
}

function oddRange(text: string, field: string): string[] {
  const [address = '', prefix = ''] = text.split('/');
  if (isIP(address) === 0 || !/^(0|[1-9]\d{0,2})$/.test(prefix)) {
    return [`${field}: ${JSON.stringify(text)} will not count as a range for long`];
  }
  return oddAddress(address, field);
}
