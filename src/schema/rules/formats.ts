import { isIP } from 'node:net';
import { parseCidr } from '../../lib/cidr.ts';
import {
  dns1035LabelProblems,
  dnsLabelProblems,
  dnsSubdomainProblems,
  labelValueProblems,
  pathSegmentProblems,
  qualifiedNameProblems,
  type Problems,
} from '../../meta/names.ts';

const NONE: Problems = [];

function matching(pattern: RegExp, rule: string, limit = Infinity): (text: string) => Problems {
  const tooLong = `must be no more than ${limit} characters`;
  return function check(text) {
    if (text.length > limit) return pattern.test(text) ? [tooLong] : [tooLong, rule];
    return pattern.test(text) ? NONE : [rule];
  };
}

/** Nearly all names of ports: a letter first, and no hyphens. */
const PLAIN_PORT_NAME = /^[a-z][a-z0-9]{0,14}$/;

/** A port's name (RFC 6335): a service name with a letter in it, and no two hyphens in a row. */
function portName(text: string): Problems {
  if (PLAIN_PORT_NAME.test(text)) return NONE;
  const problems: string[] = [];
  if (text.length > 15) problems.push('must be no more than 15 characters');
  if (!/^[-a-z0-9]+$/.test(text)) problems.push("must consist of lower case letters, digits and '-'");
  if (!/[a-z]/.test(text)) problems.push('must contain at least one letter');
  if (text.includes('--')) problems.push('must not contain two hyphens in a row');
  if (/^-|-$/.test(text)) problems.push('must not begin or end with a hyphen');
  return problems;
}

/** Keys of ConfigMaps and Secrets: file names. */
function configKey(text: string): Problems {
  const problems: string[] = [];
  if (text.length > 253) problems.push('must be no more than 253 characters');
  if (!/^[-._a-zA-Z0-9]+$/.test(text)) {
    problems.push("must consist of letters, digits, '-', '_' and '.'");
  }
  if (text === '.' || text.startsWith('..')) problems.push("must be neither '.' nor begin with '..'");
  return problems;
}

/** A path below some other: not absolute, and nothing in it leads up. */
function relativePath(text: string): Problems {
  if (text.startsWith('/')) return ['must be a relative path'];
  return withoutSteps(text);
}

/** A path of which no part leads up. */
function withoutSteps(text: string): Problems {
  return text.includes('..') && text.split('/').includes('..') ? ["must not contain '..'"] : NONE;
}

/** A name that a domain owns, such as `example.com/controller`. */
function domainPrefixedPath(text: string): Problems {
  const slash = text.indexOf('/');
  if (slash < 1 || slash === text.length - 1)
    return ["must be a domain, '/' and a path, such as example.com/name"];
  const problems = dnsSubdomainProblems(text.slice(0, slash)).map(
    (why) => `the part before the slash ${why}`,
  );
  if (!/^[-A-Za-z0-9/._~%!$&'()*+,;=:]+$/.test(text.slice(slash + 1))) {
    problems.push('the part behind the slash must be a path of a URL');
  }
  return problems;
}

/** An IPv4 address without the zeros that some write before its numbers. */
function plainAddress(text: string): string {
  return text.startsWith('0') || text.includes('.0') ? text.replace(/(^|\.)0+(?=\d)/g, '$1') : text;
}

/** A path in a volume: relative, not upwards, and not beginning like the files that the system keeps there. */
function volumePath(text: string): Problems {
  const problems = relativePath(text);
  if (!text.startsWith('..') || text.startsWith('../')) return problems;
  return [...problems, "must not begin with '..'"];
}

const ISCSI_NAMES: Readonly<Record<string, RegExp>> = {
  iqn: /iqn\.\d{4}-\d{2}\.[A-Za-z0-9.-]+:[^,;*&$|\s]+$/,
  eui: /^eui.[A-Za-z0-9]{16}$/,
  naa: /^naa.[A-Za-z0-9]{32}$/,
};

/** The name of an iSCSI target or initiator (RFC 3721, RFC 3980). */
function iscsiName(text: string): Problems {
  const pattern = ISCSI_NAMES[text.slice(0, 3)];
  if (pattern === undefined) return ['must begin with iqn, eui or naa'];
  return pattern.test(text)
    ? NONE
    : ['must be the name of an iSCSI target, such as iqn.2001-04.com.example:disk'];
}

/** The beginning of a DNS subdomain: it may end in a hyphen. */
function namePrefix(text: string): Problems {
  return dnsSubdomainProblems(text.length > 1 ? text.replace(/-$/, 'a') : text);
}

/**
 * The forms of texts that rules name. Each gives what is wrong with a text, one sentence a rule. A form that only one
 * type uses is a `pattern` there, or a check.
 */
export const FORMATS = {
  dnsLabel: dnsLabelProblems,
  dns1035Label: dns1035LabelProblems,
  dnsSubdomain: dnsSubdomainProblems,
  pathSegment: pathSegmentProblems,
  qualifiedName: qualifiedNameProblems,
  labelValue: labelValueProblems,
  /** An IPv4 or IPv6 address. */
  ip: (text: string): Problems =>
    isIP(plainAddress(text)) === 0 ? ['must be an IP address, such as 10.9.8.7'] : NONE,
  /** An address range. */
  cidr: (text: string): Problems =>
    parseCidr(text) === undefined ? ['must be a range of addresses, such as 10.9.8.0/24'] : NONE,
  portName,
  configKey,
  domainPrefixedPath,
  relativePath,
  volumePath,
  iscsiName,
  namePrefix,
  /** The name of a storage driver: a DNS subdomain, in whatever case. */
  driverName: (text: string): Problems => dnsSubdomainProblems(text.toLowerCase()),
  pathWithoutSteps: withoutSteps,
  absolutePath: (text: string): Problems => (text.startsWith('/') ? NONE : ['must be an absolute path']),
  /** The name of an environment variable: printable ASCII without `=`. */
  envVarName: matching(/^[ -<>-~]+$/, "must consist of printable ASCII characters other than '='"),
  /** An identifier of C, as older names of environment variables were. */
  cIdentifier: matching(
    /^[A-Za-z_][A-Za-z0-9_]*$/,
    "must consist of letters, digits and '_', and not begin with a digit",
  ),
} satisfies Record<string, (text: string) => Problems>;

export type FormatName = keyof typeof FORMATS;
