import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the Dockerfile says of the image. */
export interface Image {
  readonly args: ReadonlyMap<string, string>;
  readonly env: Readonly<Record<string, string>>;
  /** What is copied from the build context. */
  readonly copied: readonly string[];
  readonly user: string;
  readonly entrypoint: readonly string[];
}

/** Reads the Dockerfile, as far as tests need it. */
export function readImage(): Image {
  const text = readFileSync(join(import.meta.dirname, '../../Dockerfile'), 'utf8');
  const steps = text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .map((line) => /^([A-Z]+) (.*)$/.exec(line))
    .flatMap((match) => (match === null ? [] : [{ word: match[1] ?? '', rest: match[2] ?? '' }]));
  const of = (word: string): string[] => steps.filter((s) => s.word === word).map((s) => s.rest);
  const assignments = (texts: string[]): [string, string][] =>
    texts
      .flatMap((one) => [...one.matchAll(/(\w+)=(\S*)/g)])
      .map(([, name = '', value = '']) => [name, value]);
  return {
    args: new Map(assignments(of('ARG'))),
    env: Object.fromEntries(assignments(of('ENV'))),
    copied: of('COPY')
      .filter((rest) => !rest.startsWith('--from'))
      .flatMap((rest) => rest.split(' ').slice(0, -1)),
    user: of('USER').at(-1) ?? '',
    entrypoint: JSON.parse(of('ENTRYPOINT').at(-1) ?? '[]') as string[],
  };
}
