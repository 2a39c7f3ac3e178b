import type { Json } from '../../../src/meta/object.ts';

/** Applies a function to every string of a JSON value, keys included. */
export function mapStrings<T>(value: T, f: (text: string) => string): T {
  if (typeof value === 'string') return f(value) as T;
  if (Array.isArray(value)) return value.map((v: unknown) => mapStrings(v, f)) as T;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([k, v]) => [f(k), mapStrings(v, f)])) as T;
}

/** How the corpus, recorded under the kubernetes profile, reads under orch. */
const ORCH_RULES: readonly (readonly [RegExp, string])[] = [
  [/vnd\.kubernetes\./g, 'vnd.orch.'],
  [/x-kubernetes-/g, 'x-orch-'],
  [/\bkubernetes\.io/g, 'orch.io'],
  [/k8s\.io/g, 'orch.io'],
  [/\bkube-(system|public|node-lease)\b/g, 'orch-$1'],
  [/\bkubernetes\.default\.svc\b/g, 'orch.default.svc'],
  [/\bkube-root-ca\.crt\b/g, 'orch-root-ca.crt'],
];

/** Rewrites a recorded value for a naming profile. */
export function translate<T>(value: T, profile: 'orch' | 'kubernetes'): T {
  if (profile === 'kubernetes') return value;
  return mapStrings(value, (text) => ORCH_RULES.reduce((t, [from, to]) => t.replace(from, to), text));
}

/** Replaces `${name}` by variables; unknown ones stay. */
export function substitute<T>(value: T, variables: ReadonlyMap<string, string>): T {
  return mapStrings(value, (text) =>
    text.includes('${')
      ? text.replace(/\$\{([\w.-]+)\}/g, (whole, name: string) => variables.get(name) ?? whole)
      : text,
  );
}

const unescapeToken = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~');

/** The value at a JSON pointer, undefined where there is none. */
export function atPointer(value: Json | undefined, pointer: string): Json | undefined {
  if (pointer === '') return value;
  let here: Json | undefined = value;
  for (const token of pointer.slice(1).split('/').map(unescapeToken)) {
    if (here === null || typeof here !== 'object') return undefined;
    here = Array.isArray(here) ? here[Number(token)] : here[token];
  }
  return here;
}

/** The text at a JSON pointer, '' where there is none. */
export function textAt(value: Json | undefined, pointer: string): string {
  const found = atPointer(value, pointer);
  return typeof found === 'string' ? found : '';
}
