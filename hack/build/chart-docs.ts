import { format } from 'prettier';
import { isMap, isScalar, parseDocument, type Pair, type YAMLMap } from 'yaml';

/** A value of a chart, as its `values.yaml` documents it. */
export interface ChartValue {
  /** `image.tag`. */
  readonly path: string;
  /** What its comment says; undefined where it has none, and none of the maps around it. */
  readonly description: string | undefined;
  /** JSON. */
  readonly fallback: string;
}

const START = '<!-- values: written by hack/write-chart-docs.ts from values.yaml -->';
const END = '<!-- end of values -->';

/** The values that a chart documents by comments that begin with `--`, in order; and those that it doesn't document. */
export function chartValues(valuesYaml: string): ChartValue[] {
  const { contents } = parseDocument(valuesYaml);
  return isMap(contents) ? valuesOf(contents, '') : [];
}

/**
 * A chart's README with the table of its values brought up to date.
 *
 * @throws Error when the README has no place for it.
 */
export async function chartReadme(readme: string, valuesYaml: string): Promise<string> {
  const [before, rest] = readme.split(START);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`README.md lacks ${START} and ${END}`);
  const rows = chartValues(valuesYaml).map(
    ({ path, fallback, description = '' }) => `| \`${path}\` | \`${fallback}\` | ${escape(description)} |\n`,
  );
  const table = `| Value | Default | |\n| --- | --- | --- |\n${rows.join('')}`;
  const text = `${before}${START}\n\n${table}\n${END}${after}`;
  return format(text, { parser: 'markdown', printWidth: 110 });
}

function valuesOf(map: YAMLMap, parent: string): ChartValue[] {
  return map.items.flatMap((pair, index) => {
    // The comment of a map's first key is the map's own where the parser sees it first.
    const inherited = index === 0 ? map.commentBefore : undefined;
    return valuesOfPair(pair, parent, inherited ?? undefined);
  });
}

function valuesOfPair({ key, value }: Pair, parent: string, inherited: string | undefined): ChartValue[] {
  const node = isScalar(key) ? key : undefined;
  const path = parent + String(node?.value);
  const description = documented(node?.commentBefore ?? inherited);
  if (description === undefined && isMap(value) && value.items.length > 0) {
    return valuesOf(value, `${path}.`);
  }
  const plain: unknown = isScalar(value) ? value.value : (value as YAMLMap).toJSON();
  return [{ path, description, fallback: JSON.stringify(plain) }];
}

/** The last run of comment lines that begins with `--`. */
function documented(comment: string | null | undefined): string | undefined {
  const text = comment?.split(/^ -- /m).at(-1);
  return text === undefined || text === comment ? undefined : text.replaceAll(/\s+/g, ' ').trim();
}

function escape(text: string): string {
  return text.replaceAll('|', '\\|');
}
