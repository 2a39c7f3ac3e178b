import type { Problems } from '../../meta/names.ts';
import { dnsSubdomainProblems } from '../../meta/names.ts';

const RULE = "must be '*.' and a DNS subdomain (RFC 1123), such as *.example.com";

/** A host name whose first part is any. */
export function wildcardProblems(host: string): Problems {
  return host.startsWith('*.') && dnsSubdomainProblems(host.slice(2)).length === 0 ? [] : [RULE];
}
