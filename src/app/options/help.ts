import { resolveGates, type GateTable } from './feature-gates.ts';
import type { FlagRow, FlagTable } from './flag-table.ts';

const HEAD = `orchd serves the Kubernetes resource API from etcd or from an embedded store.

Usage:
  orchd [flags]

Every flag can also be given as an environment variable: --etcd-servers as ORCH_ETCD_SERVERS.
`;

const WIDTH = 100;
const INDENT = 8;

/** The text of `--help`: every flag in its section, and the feature gates that can be set, wrapped to a terminal's width. */
export function formatHelp(table: FlagTable, gates: GateTable, release: string): string {
  const sections = Object.entries(table.sections).map(([section, rows]) => {
    const flags = Object.entries(rows).map(([name, row]) => {
      const text = formatFlag(table, name, row);
      return name === 'feature-gates' ? `${text}${formatGates(gates, release)}` : text;
    });
    return `${capitalize(section)} flags:\n\n${flags.join('')}`;
  });
  return [HEAD, ...sections].join('\n');
}

function formatFlag(table: FlagTable, name: string, row: FlagRow): string {
  const short = row.short === undefined ? '    ' : `-${row.short}, `;
  const type = row.type === 'bool' ? '' : ` ${row.type}`;
  return `  ${short}--${name}${type}\n${wrap(`${row.usage}${remark(table, row)}`)}`;
}

function remark(table: FlagTable, row: FlagRow): string {
  const values =
    row.values === undefined || row.type === 'version' ? '' : ` One of ${row.values.join(', ')}.`;
  const fallback = row.default === undefined ? '' : ` (default ${row.default})`;
  const deprecated = row.deprecated === undefined ? '' : ` (deprecated: ${row.deprecated})`;
  const later =
    row.later === undefined ? '' : ` (no effect yet: it comes with ${table.later[row.later] ?? row.later})`;
  return `${values}${fallback}${deprecated}${later}`;
}

/** Gates of features that are settled are left out: they have to be left alone. */
function formatGates(table: GateTable, release: string): string {
  const { gates } = resolveGates(table, new Map(), release);
  return gates
    .all()
    .filter(({ stage }) => stage === 'alpha' || stage === 'beta')
    .map(
      ({ name, stage, enabled }) =>
        `${' '.repeat(INDENT)}${name}=true|false (${stage}, default ${enabled})\n`,
    )
    .join('');
}

function wrap(text: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > WIDTH - INDENT) {
      lines.push(line);
      line = '';
    }
    line += line === '' ? word : ` ${word}`;
  }
  return [...lines, line].map((words) => `${' '.repeat(INDENT)}${words}\n`).join('');
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
