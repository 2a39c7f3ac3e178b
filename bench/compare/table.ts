import type { Figure } from './figures.ts';
import type { Column } from './side-by-side.ts';

/** A Markdown table: a row a figure, a column a server, with the ratio to the reference where there is one. */
export function table(columns: readonly Column[]): string {
  const reference = columns.length > 1 ? columns.find((column) => column.reference) : undefined;
  const find = (column: Column | undefined, name: string): Figure | undefined =>
    column?.figures.find((figure) => figure.name === name);
  const head = ['', ...columns.map(({ name }) => name)];
  const lines = [head, head.map((_, i) => (i === 0 ? '---' : '---:'))];
  const rows = new Map(columns.flatMap(({ figures }) => figures.map(({ name, unit }) => [name, unit])));
  for (const [name, unit] of rows) {
    const base = find(reference, name);
    const cells = columns.map((column) => cell(find(column, name), column === reference ? undefined : base));
    lines.push([`${name} (${unit})`, ...cells]);
  }
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n');
}

function cell(figure: Figure | undefined, base?: Figure): string {
  if (figure === undefined || Number.isNaN(figure.value)) return '–';
  const value = figure.value >= 100 ? figure.value.toFixed(0) : figure.value.toFixed(1);
  return base === undefined || base.value === 0
    ? value
    : `**${(figure.value / base.value).toFixed(2)}x** (${value})`;
}
