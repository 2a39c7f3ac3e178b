/** Types that functions of the reference's environment take and return, besides the language's own. */
export const DECLARED_TYPES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'kubernetes.Format': {},
  'kubernetes.IP': {},
  'kubernetes.CIDR': {},
  'kubernetes.Quantity': {},
  'kubernetes.Semver': {},
  'kubernetes.URL': {},
  'kubernetes.authorization.Decision': {},
  'kubernetes.authorization.GroupCheck': {},
  'kubernetes.authorization.PathCheck': {},
  'kubernetes.authorization.ResourceCheck': {},
  'kubernetes.authorization.Authorizer': { requestResource: 'kubernetes.authorization.ResourceCheck' },
};

/** Names before a dot in the names of functions: the library knows functions of values, not of such names. */
export const FUNCTION_SPACES = ['format', 'ip', 'sets', 'strings'] as const;

const FORMATS =
  'dns1123Label dns1123Subdomain dns1035Label qualifiedName dns1123LabelPrefix dns1123SubdomainPrefix ' +
  'dns1035LabelPrefix labelValue uri uuid byte date datetime';
const ORDERED = ['int', 'uint', 'double', 'bool', 'google.protobuf.Duration', 'google.protobuf.Timestamp'];
const SUMMABLE = ['int', 'uint', 'double', 'google.protobuf.Duration'];

/** Functions of lists whose items have an order: those that the reference has one of for each type. */
const LISTS = [
  ...[...ORDERED, 'string', 'bytes'].flatMap((type) => [
    `list<${type}>.isSorted(): bool`,
    `list<${type}>.min(): ${type}`,
    `list<${type}>.max(): ${type}`,
  ]),
  ...SUMMABLE.map((type) => `list<${type}>.sum(): ${type}`),
  'list<A>.indexOf(A): int',
  'list<A>.lastIndexOf(A): int',
];

const CHECK = 'kubernetes.authorization.ResourceCheck';
const AUTHORIZATION = [
  'kubernetes.authorization.Authorizer.path(string): kubernetes.authorization.PathCheck',
  'kubernetes.authorization.Authorizer.group(string): kubernetes.authorization.GroupCheck',
  'kubernetes.authorization.Authorizer.serviceAccount(string, string): kubernetes.authorization.Authorizer',
  `kubernetes.authorization.GroupCheck.resource(string): ${CHECK}`,
  ...['subresource', 'namespace', 'name', 'fieldSelector', 'labelSelector'].map(
    (name) => `${CHECK}.${name}(string): ${CHECK}`,
  ),
  'kubernetes.authorization.PathCheck.check(string): kubernetes.authorization.Decision',
  `${CHECK}.check(string): kubernetes.authorization.Decision`,
  'kubernetes.authorization.Decision.errored(): bool',
  'kubernetes.authorization.Decision.error(): string',
  'kubernetes.authorization.Decision.allowed(): bool',
  'kubernetes.authorization.Decision.reason(): string',
];

/** Functions of a type that has an order. */
function ordered(type: string): string[] {
  return [
    `${type}.isGreaterThan(${type}): bool`,
    `${type}.isLessThan(${type}): bool`,
    `${type}.compareTo(${type}): int`,
  ];
}

const QUANTITY = 'kubernetes.Quantity';
const NUMBERS = [
  'quantity(string): kubernetes.Quantity',
  'isQuantity(string): bool',
  ...ordered(QUANTITY),
  `${QUANTITY}.sign(): int`,
  `${QUANTITY}.asApproximateFloat(): double`,
  `${QUANTITY}.asInteger(): int`,
  `${QUANTITY}.isInteger(): bool`,
  ...['add', 'sub'].flatMap((name) => [
    `${QUANTITY}.${name}(${QUANTITY}): ${QUANTITY}`,
    `${QUANTITY}.${name}(int): ${QUANTITY}`,
  ]),
];

const SEMVER = 'kubernetes.Semver';
const VERSIONS = [
  `semver(string): ${SEMVER}`,
  'isSemver(string): bool',
  ...ordered(SEMVER),
  ...['major', 'minor', 'patch'].map((part) => `${SEMVER}.${part}(): int`),
];

const ADDRESSES = [
  'ip(string): kubernetes.IP',
  'isIP(string): bool',
  'spaces.ip.isCanonical(string): bool',
  'string(kubernetes.IP): string',
  'kubernetes.IP.family(): int',
  ...['isUnspecified', 'isLoopback', 'isLinkLocalMulticast', 'isLinkLocalUnicast', 'isGlobalUnicast'].map(
    (name) => `kubernetes.IP.${name}(): bool`,
  ),
  'cidr(string): kubernetes.CIDR',
  'isCIDR(string): bool',
  'string(kubernetes.CIDR): string',
  ...['string', 'kubernetes.IP'].map((type) => `kubernetes.CIDR.containsIP(${type}): bool`),
  ...['string', 'kubernetes.CIDR'].map((type) => `kubernetes.CIDR.containsCIDR(${type}): bool`),
  'kubernetes.CIDR.ip(): kubernetes.IP',
  'kubernetes.CIDR.prefixLength(): int',
  'kubernetes.CIDR.masked(): kubernetes.CIDR',
  'url(string): kubernetes.URL',
  'isURL(string): bool',
  ...['Scheme', 'Host', 'Hostname', 'Port', 'EscapedPath'].map(
    (part) => `kubernetes.URL.get${part}(): string`,
  ),
  'kubernetes.URL.getQuery(): map<string, list<string>>',
];

/** Functions of the reference that can be checked here, and not evaluated, as signatures. */
export const DECLARED_FUNCTIONS: readonly string[] = [
  ...LISTS,
  ...AUTHORIZATION,
  ...NUMBERS,
  ...VERSIONS,
  ...ADDRESSES,
  'string.format(list<dyn>): string',
  'spaces.strings.quote(string): string',
  ...['contains', 'equivalent', 'intersects'].map((name) => `spaces.sets.${name}(list<A>, list<A>): bool`),
  'spaces.format.named(string): optional<kubernetes.Format>',
  ...FORMATS.split(' ').map((name) => `spaces.format.${name}(): kubernetes.Format`),
  'kubernetes.Format.validate(string): optional<list<string>>',
];
