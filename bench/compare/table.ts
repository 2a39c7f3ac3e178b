import type { Figure } from './measure.ts';

/** What one server showed. */
export interface Column {
  readonly name: string;
  readonly figures: readonly Figure[];
}

/** A Markdown table: a row a figure, a column a server, with the ratio to the reference where there is one. */
export function table(columns: readonly Column[], reference?: Column): string {
  const names = columns.map((c) => c.name);
  const head = ['', ...(reference === undefined ? [] : [reference.name]), ...names];
  const lines = [head, head.map((_, i) => (i === 0 ? '---' : '---:'))];
  for (const figure of columns[0]?.figures ?? []) {
    const base = reference?.figures.find((f) => f.name === figure.name);
    const cells = columns.map((c) =>
      cell(
        c.figures.find((f) => f.name === figure.name),
        base,
      ),
    );
    lines.push([
      `${figure.name} (${figure.unit})`,
      ...(reference === undefined ? [] : [cell(base)]),
      ...cells,
    ]);
  }
  return lines.map((l) => `| ${l.join(' | ')} |`).join('\n');
}

function cell(figure: Figure | undefined, base?: Figure): string {
  if (figure === undefined || Number.isNaN(figure.value)) return '–';
  const value = figure.value >= 100 ? figure.value.toFixed(0) : figure.value.toFixed(1);
  return base === undefined ? value : `${value} (${(figure.value / base.value).toFixed(2)}x)`;
}
