import { Ajv, type ErrorObject } from 'ajv';
import { closest } from '../../../../lib/closest.ts';
import type { Json, JsonObject } from '../../../../meta/object.ts';
import { CtlError } from '../../errors.ts';
import { lineOfField } from '../locate-field.ts';
import type { Vocabulary } from './vocabulary.ts';
import { KUSTOMIZATION_SCHEMA, REFUSED } from './kustomization-schema.ts';
import type { GeneratorRule, Kustomization } from './kustomization.ts';
import { parseText } from './parse-text.ts';

/** Makes the reader of kustomization files; what it compiles is compiled once. */
export function kustomizationReader(vocabulary: Vocabulary): (file: string, text: string) => Kustomization {
  const validate = new Ajv({ allErrors: true, strict: false, verbose: true }).compile(KUSTOMIZATION_SCHEMA);
  /** @throws CtlError naming file, line and field of every mistake. */
  return function readKustomization(file, text) {
    const value = withoutEmpty(parseText(file, text));
    if (!validate(value)) throw new CtlError(problems(file, text, validate.errors ?? []));
    checkVersion(file, value as JsonObject, vocabulary);
    return complete(value as unknown as Partial<Kustomization> & Written);
  };
}

/** Deprecated spellings. */
interface Written {
  readonly bases?: readonly string[];
  readonly imageTags?: Kustomization['images'];
}

function complete({
  bases = [],
  imageTags = [],
  ...written
}: Partial<Kustomization> & Written): Kustomization {
  return {
    patches: [],
    components: [],
    labels: [],
    commonLabels: {},
    commonAnnotations: {},
    patchesStrategicMerge: [],
    patchesJson6902: [],
    replicas: [],
    ...written,
    kind: written.kind ?? 'Kustomization',
    resources: [...(written.resources ?? []), ...bases],
    images: [...(written.images ?? []), ...imageTags],
    configMapGenerator: (written.configMapGenerator ?? []).map(withEnvs),
    secretGenerator: (written.secretGenerator ?? []).map(withEnvs),
  };
}

function withEnvs({ env, ...rule }: GeneratorRule): GeneratorRule {
  return env === undefined || env === '' ? rule : { ...rule, envs: [...(rule.envs ?? []), env] };
}

/** Keys without a value count as absent, at the top as everywhere else. */
function withoutEmpty(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
  return Object.fromEntries(entries.map(([key, member]) => [key, withoutEmpty(member ?? null)]));
}

function checkVersion(
  file: string,
  { apiVersion, kind = 'Kustomization' }: JsonObject,
  vocabulary: Vocabulary,
): void {
  if (kind !== 'Kustomization' && kind !== 'Component')
    throw new CtlError(`${file}: kind: should be Kustomization or Component, not ${JSON.stringify(kind)}`);
  const version = kind === 'Component' ? 'v1alpha1' : 'v1beta1';
  const expected = vocabulary.kustomizationGroups().map((group) => `${group}/${version}`);
  if (typeof apiVersion === 'string' && apiVersion !== '' && !expected.includes(apiVersion))
    throw new CtlError(
      `${file}: apiVersion: of a ${kind} it should be ${expected.join(' or ')}, not ${JSON.stringify(apiVersion)}`,
    );
}

const MAX_TOLD = 10;

function problems(file: string, text: string, errors: readonly ErrorObject[]): string {
  const place = { file, document: 1, line: 1, text };
  const told = errors.slice(0, MAX_TOLD).map((error) => {
    const { path, why } = explain(error);
    return `${file}: line ${lineOfField(place, path) ?? 1}: ${path === '' ? '' : `${path}: `}${why}`;
  });
  return told.join('\n');
}

function explain({ instancePath, keyword, params, message, parentSchema }: ErrorObject): {
  path: string;
  why: string;
} {
  const path = instancePath
    .slice(1)
    .replaceAll(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.');
  if (keyword !== 'additionalProperties') {
    const allowed = (params as { allowedValues?: readonly string[] }).allowedValues;
    return {
      path,
      why: allowed === undefined ? (message ?? keyword) : `must be one of ${allowed.join(', ')}`,
    };
  }
  const name = String((params as { additionalProperty?: string }).additionalProperty);
  const full = path === '' ? name : `${path}.${name}`;
  if (path === '' && REFUSED.includes(name))
    return {
      path: full,
      why: 'is not supported here; build with kustomize itself and apply what it prints (-f -)',
    };
  const known = Object.keys((parentSchema as { properties?: object } | undefined)?.properties ?? {});
  const similar = closest(name, known);
  return { path: full, why: `unknown field${similar === undefined ? '' : `; is ${similar} meant?`}` };
}
