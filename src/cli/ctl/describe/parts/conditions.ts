import type { Description } from '../description.ts';
import type { Condition } from '../objects.ts';
import { longTime } from '../times.ts';

/** A column of a table of conditions. */
export interface ConditionColumn {
  readonly title: string;
  readonly text: (condition: Condition) => string;
  /** The dashes below the title, where they are not as long as it. */
  readonly rule?: string;
}

export const CONDITION_COLUMNS = {
  type: { title: 'Type', text: ({ type = '' }: Condition) => type },
  status: { title: 'Status', text: ({ status = '' }: Condition) => status },
  reason: { title: 'Reason', text: ({ reason = '' }: Condition) => reason },
  message: { title: 'Message', text: ({ message = '' }: Condition) => message },
  changed: {
    title: 'LastTransitionTime',
    text: ({ lastTransitionTime }: Condition) => longTime(lastTransitionTime),
  },
  probed: {
    title: 'LastProbeTime',
    text: ({ lastProbeTime }: Condition) => longTime(lastProbeTime),
    rule: '-----------------',
  },
  heartbeat: {
    title: 'LastHeartbeatTime',
    text: ({ lastHeartbeatTime }: Condition) => longTime(lastHeartbeatTime),
  },
} as const satisfies Readonly<Record<string, ConditionColumn>>;

export interface ConditionTable {
  readonly columns: readonly (keyof typeof CONDITION_COLUMNS)[];
  /** How many of the columns have a space behind their values. */
  readonly spaced?: number;
  /** Whether there are dashes below the titles. */
  readonly ruled?: boolean;
}

/** A table of conditions, where there are some. */
export function writeConditions(
  page: Description,
  conditions: readonly Condition[] = [],
  { columns, spaced = 0, ruled = true }: ConditionTable,
): void {
  if (conditions.length === 0) return;
  const rows = columns.map((name): ConditionColumn => CONDITION_COLUMNS[name]);
  page.line('Conditions:');
  page.line(rows.map(({ title }) => title).join('\t'), 1);
  if (ruled) page.line(rows.map(({ title, rule }) => rule ?? '-'.repeat(title.length)).join('\t'), 1);
  for (const condition of conditions) {
    page.line(rows.map(({ text }, i) => `${text(condition)}${i < spaced ? ' ' : ''}`).join('\t'), 1);
  }
}
