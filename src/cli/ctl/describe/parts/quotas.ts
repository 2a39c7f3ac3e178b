import { wholeQuantity } from '../../../../meta/quantity-amounts.ts';
import { formatQuantity } from '../../../../meta/quantity.ts';
import type { Description } from '../description.ts';
import type { Amounts, Described } from '../objects.ts';
import { amountOf } from './amounts.ts';

export interface ResourceQuota extends Described {
  readonly spec?: { readonly scopes?: readonly string[] };
  readonly status?: { readonly hard?: Amounts; readonly used?: Amounts };
}

export interface LimitRange extends Described {
  readonly spec?: { readonly limits?: readonly Limit[] };
}

interface Limit {
  readonly type?: string;
  readonly min?: Amounts;
  readonly max?: Amounts;
  readonly defaultRequest?: Amounts;
  readonly default?: Amounts;
  readonly maxLimitRequestRatio?: Amounts;
}

const LIMIT_COLUMNS = ['min', 'max', 'defaultRequest', 'default', 'maxLimitRequestRatio'] as const;
export const LIMIT_TITLES = [
  'Type',
  'Resource',
  'Min',
  'Max',
  'Default Request',
  'Default Limit',
  'Max Limit/Request Ratio',
];

const SCOPES: Readonly<Record<string, string>> = {
  Terminating:
    'Matches all pods that have an active deadline. These pods have a limited lifespan on a node before being actively terminated by the system.',
  NotTerminating:
    'Matches all pods that do not have an active deadline. These pods usually include long running pods whose container command is not expected to terminate.',
  BestEffort:
    'Matches all pods that do not have resource requirements set. These pods have a best effort quality of service.',
  NotBestEffort:
    'Matches all pods that have at least one resource requirement set. These pods have a burstable or guaranteed quality of service.',
};

/** What a quota counts. @param bullet before the explanation of each scope. */
export function writeScopes(
  page: Description,
  { spec }: ResourceQuota,
  { level, bullet }: { readonly level: number; readonly bullet: string },
): void {
  const scopes = [...(spec?.scopes ?? [])].sort();
  if (scopes.length === 0) return;
  page.row('Scopes', scopes.join(', '), level);
  for (const scope of scopes) if (Object.hasOwn(SCOPES, scope)) page.line(`${bullet}${SCOPES[scope]}`, level);
}

/** What is used of what there may be. */
export function writeUse(page: Description, { status }: ResourceQuota, level: number): void {
  const { hard = {}, used = {} } = status ?? {};
  for (const name of Object.keys(hard).sort())
    page.line(`${name}\t${used[name] ?? '0'}\t${hard[name]}`, level);
}

/** An amount in the units of another. */
export function inUnitsOf(text: string | undefined, other: string): string {
  const [amount, { format }] = [amountOf(text), amountOf(other)];
  if (amount.format === format) return text ?? '0';
  return formatQuantity({ unscaled: wholeQuantity(amount), exponent: 0, format });
}

/** The rows of limits. @param prefix before each. */
export function writeLimits(page: Description, { spec }: LimitRange, prefix: string): void {
  for (const limit of spec?.limits ?? []) {
    const names = new Set(LIMIT_COLUMNS.flatMap((column) => Object.keys(limit[column] ?? {})));
    for (const name of [...names].sort()) {
      const cells = LIMIT_COLUMNS.map((column) => limit[column]?.[name] ?? '-');
      page.line([`${prefix}${limit.type ?? ''}`, name, ...cells].join('\t'));
    }
  }
}

/** Dashes as long as each title. */
export function ruleOf(titles: readonly string[]): string {
  return titles.map((title) => '-'.repeat(title.length)).join('\t');
}
