import { formatAddress, parseAddressAsWritten } from '../lib/address.ts';

/**
 * The forms that names, label keys and label values may have. Each check returns what is wrong, one sentence a rule,
 * and nothing for what is right.
 */
export type Problems = readonly string[];

const NONE: Problems = [];

const LABEL_LENGTH = 63;
const SUBDOMAIN_LENGTH = 253;

const SUBDOMAIN = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
const DNS_LABEL = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
const DNS_1035_LABEL = /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/;
const QUALIFIED_PART = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

const SUBDOMAIN_RULE =
  "must be a DNS subdomain (RFC 1123): lower case letters, digits, '-' and '.', with a letter or digit at both ends of each part";
const LABEL_RULE =
  "must be a DNS label (RFC 1123): lower case letters, digits and '-', with a letter or digit at both ends";
const LABEL_1035_RULE =
  "must be a DNS label (RFC 1035): lower case letters, digits and '-', with a letter first and a letter or digit last";
const PART_RULE = "must consist of letters, digits, '-', '_' and '.', with a letter or digit at both ends";

/** A DNS subdomain (RFC 1123) of at most 253 characters, such as `web.example.com`. */
export function dnsSubdomainProblems(text: string): Problems {
  if (isSubdomain(text)) return NONE;
  const problems: string[] = [];
  if (text.length > SUBDOMAIN_LENGTH) problems.push(tooLong(SUBDOMAIN_LENGTH));
  if (!text.split('.').every((part) => DNS_LABEL.test(part))) problems.push(SUBDOMAIN_RULE);
  return problems;
}

function isSubdomain(text: string): boolean {
  return text.length <= SUBDOMAIN_LENGTH && SUBDOMAIN.test(text);
}

/** A DNS label (RFC 1123) of at most 63 characters, such as `web-1`. */
export function dnsLabelProblems(text: string): Problems {
  return labelProblems(text, DNS_LABEL, LABEL_RULE);
}

/** A DNS label (RFC 1035) of at most 63 characters: it starts with a letter. */
export function dns1035LabelProblems(text: string): Problems {
  return labelProblems(text, DNS_1035_LABEL, LABEL_1035_RULE);
}

function labelProblems(text: string, pattern: RegExp, rule: string): Problems {
  if (text.length <= LABEL_LENGTH && pattern.test(text)) return NONE;
  const problems: string[] = [];
  if (text.length > LABEL_LENGTH) problems.push(tooLong(LABEL_LENGTH));
  if (!pattern.test(text)) problems.push(rule);
  return problems;
}

/** An IP address in its usual form, such as `2001:db8::1`: each has one name. */
export function ipAddressProblems(text: string): Problems {
  const address = parseAddressAsWritten(text);
  if (address === undefined) return ['must be an IP address, such as 10.9.8.7'];
  const usual = formatAddress(address);
  return usual === text ? NONE : [`must be written ${usual}`];
}

/** Anything that is one segment of a path, such as `system:node`. */
export function pathSegmentProblems(text: string): Problems {
  if (text === '.' || text === '..') return [`may not be '${text}'`];
  const problems = ['/', '%'].filter((c) => text.includes(c)).map((c) => `may not contain '${c}'`);
  return problems.length === 0 ? NONE : problems;
}

/** A label key, annotation key or finalizer: a name, perhaps with a DNS subdomain and a slash before it. */
export function qualifiedNameProblems(text: string): Problems {
  const slash = text.indexOf('/');
  const name = slash < 0 ? text : text.slice(slash + 1);
  if (name.length <= LABEL_LENGTH && QUALIFIED_PART.test(name)) {
    if (slash < 0 || isSubdomain(text.slice(0, slash))) return NONE;
  }
  if (name.includes('/')) return [`${PART_RULE}, perhaps after a DNS subdomain and '/'`];
  const problems: string[] = [];
  if (slash === 0) problems.push('the part before the slash must not be empty');
  else if (slash > 0) {
    problems.push(
      ...dnsSubdomainProblems(text.slice(0, slash)).map((why) => `the part before the slash ${why}`),
    );
  }
  if (name === '') problems.push('the name must not be empty');
  else if (name.length > LABEL_LENGTH) problems.push(`the name ${tooLong(LABEL_LENGTH)}`);
  if (!QUALIFIED_PART.test(name)) problems.push(`the name ${PART_RULE}`);
  return problems;
}

/** A label's value: empty, or like a name. */
export function labelValueProblems(text: string): Problems {
  if (text === '' || (text.length <= LABEL_LENGTH && QUALIFIED_PART.test(text))) return NONE;
  const problems: string[] = [];
  if (text.length > LABEL_LENGTH) problems.push(tooLong(LABEL_LENGTH));
  if (!QUALIFIED_PART.test(text)) problems.push(`${PART_RULE}, or be empty`);
  return problems;
}

function tooLong(limit: number): string {
  return `must have at most ${limit} characters`;
}
