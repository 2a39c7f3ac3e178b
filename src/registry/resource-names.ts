import { invalid, type FieldError, type FieldName } from '../errors/field-error.ts';
import { qualifiedNameProblems } from '../meta/names.ts';
import { isPlainCount, milliQuantity } from '../meta/quantity-amounts.ts';
import { parseQuantity } from '../meta/quantity.ts';

const HUGE_PAGES = 'hugepages-';
const REQUESTS = 'requests.';

const COMPUTE = ['cpu', 'memory', 'ephemeral-storage'];
const COUNTED = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
];
const OF_CONTAINERS: ReadonlySet<string> = new Set(COMPUTE);
const OF_QUOTAS: ReadonlySet<string> = new Set([
  ...COMPUTE,
  ...COMPUTE.map((name) => `${REQUESTS}${name}`),
  ...COMPUTE.map((name) => `limits.${name}`),
  'requests.storage',
  ...COUNTED,
]);
const WHOLE: ReadonlySet<string> = new Set(COUNTED);

/** Which names of resources (`cpu`, `example.com/gpu`) are good for what. */
export interface ResourceNames {
  /** Whether the name is the system's: one without a domain, or of its own. */
  isNative(name: string): boolean;
  /** Whether it is one that devices and operators bring along, such as `example.com/gpu`. */
  isExtended(name: string): boolean;
  isHugePages(name: string): boolean;
  /** Whether limits may be higher than requests. */
  allowsOvercommit(name: string): boolean;
  /** What is wrong with the name of any resource. */
  errors(name: string, path: FieldName): FieldError[];
  /** Of one that containers use. */
  containerErrors(name: string, path: FieldName): FieldError[];
  /** Of one that quotas limit. */
  quotaErrors(name: string, path: FieldName): FieldError[];
  /** Of an amount: it isn't negative, and whole where only whole ones make sense. */
  amountErrors(name: string, amount: string, path: FieldName): FieldError[];
}

/** Whether quotas know the name without a domain; others without one they refuse. */
export function isQuotaResource(name: string): boolean {
  return OF_QUOTAS.has(name) || isHugePages(name) || isHugePages(name, REQUESTS + HUGE_PAGES);
}

function isHugePages(name: string, prefix = HUGE_PAGES): boolean {
  return name.startsWith(prefix);
}

/** @param ownPrefix the domain, with a slash, that means the same as none. */
export function resourceNames(ownPrefix: string): ResourceNames {
  const isNative = (name: string): boolean => !name.includes('/') || name.includes(ownPrefix);
  const isExtended = (name: string): boolean =>
    !isNative(name) && !name.startsWith(REQUESTS) && qualifiedNameProblems(REQUESTS + name).length === 0;
  const errors = (name: string, path: FieldName): FieldError[] => {
    const problems = qualifiedNameProblems(name);
    if (problems.length > 0) return problems.map((problem) => invalid(path, name, problem));
    if (name.includes('/') || name === 'storage' || isQuotaResource(name)) return [];
    return [invalid(path, name, 'must be a resource that the system knows, or have a domain')];
  };
  return {
    isNative,
    isExtended,
    isHugePages,
    allowsOvercommit: (name) => isNative(name) && !isHugePages(name),
    errors,
    containerErrors(name, path) {
      const found = errors(name, path);
      if (!name.includes('/')) {
        if (!OF_CONTAINERS.has(name) && !isHugePages(name))
          found.push(invalid(path, name, 'must be a resource that containers use'));
      } else if (!isNative(name) && !isExtended(name)) {
        found.push(invalid(path, name, 'must be a name that quotas can prefix with "requests."'));
      }
      return found;
    },
    quotaErrors(name, path) {
      const found = errors(name, path);
      if (!name.includes('/') && !isQuotaResource(name))
        found.push(invalid(path, name, 'must be a resource that quotas know'));
      return found;
    },
    amountErrors(name, amount, path) {
      if (isPlainCount(amount)) return [];
      const quantity = parseQuantity(amount);
      if (quantity === undefined) return [];
      const found: FieldError[] = [];
      if (quantity.unscaled < 0n) found.push(invalid(path, amount, 'must be 0 or more'));
      if ((WHOLE.has(name) || isExtended(name)) && milliQuantity(quantity) % 1000n !== 0n)
        found.push(invalid(path, amount, 'must be a whole number'));
      return found;
    },
  };
}
