import type { FlagRow } from '../../src/app/options/flag-table.ts';
import type { FlagSource } from '../import/flags.ts';

const HEAD = `# Flags of orchd

<!-- Written by hack/write-flag-docs.ts from schemas/flags.yaml. -->

Every flag can also be given as an environment variable: \`--etcd-servers\` as \`ORCH_ETCD_SERVERS\`. The command line counts
before the environment. Lists are comma-separated and may be repeated; durations are written as \`1h30m\` or \`500ms\`. Names
and values are those of the Go API server, but for the flags marked *ours* and what is said to differ. Flags of parts that are
still to come are accepted with a warning.

Defaults are shown with the names of the \`orch\` naming profile.
`;

/** The flag reference, as Markdown. */
export function flagDocs(source: FlagSource): string {
  const sections = Object.entries(source.sections).map(([section, rows]) => {
    const title = section.charAt(0).toUpperCase() + section.slice(1);
    const lines = Object.entries(rows).map(([name, row]) => flagLine(source, name, row));
    return `## ${title}\n\n| Flag | Type | Default | |\n| --- | --- | --- | --- |\n${lines.join('')}`;
  });
  return [HEAD, ...sections].join('\n');
}

function flagLine(source: FlagSource, name: string, row: FlagRow): string {
  const short = row.short === undefined ? '' : `\`-${row.short}\`, `;
  const fallback = row.default === undefined ? '' : `\`${row.default}\``;
  const cells = [`${short}\`--${name}\``, row.type, fallback, escape(remarks(source, row))];
  return `| ${cells.join(' | ')} |\n`;
}

function remarks(source: FlagSource, row: FlagRow): string {
  return [
    row.ours ? '*Ours.*' : '',
    row.usage,
    row.values === undefined || row.type === 'version' ? '' : `One of ${row.values.join(', ')}.`,
    row.requires === undefined ? '' : `Needs ${flagList(row.requires)}.`,
    row.excludes === undefined ? '' : `Not with ${flagList(row.excludes)}.`,
    row.deprecated === undefined ? '' : `Deprecated: ${row.deprecated}.`,
    row.later === undefined ? '' : `*No effect yet: it comes with ${source.later[row.later] ?? row.later}.*`,
    row.laterValues === undefined ? '' : `*No effect yet: ${Object.keys(row.laterValues).join(', ')}.*`,
    row.differs === undefined ? '' : `Differs from the Go API server: ${row.differs}.`,
  ]
    .filter((text) => text !== '')
    .join(' ');
}

function flagList(names: readonly string[]): string {
  return names.map((name) => `\`--${name}\``).join(', ');
}

function escape(text: string): string {
  return text.replaceAll('|', '\\|');
}
