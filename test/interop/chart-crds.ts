import { Ajv, type SchemaObject } from 'ajv';
import type { Manifest } from './chart-tools.ts';

/** Kinds of other projects that the chart makes, as far as it uses them: what isn't named here is a mistake. */
const text = { type: 'string', minLength: 1 };
const texts = { type: 'object', additionalProperties: { type: 'string' } };
const duration = { type: 'string', pattern: '^[0-9]+(ms|s|m|h|d)$' };
const keyOf = object({ name: text, key: text }, ['name', 'key']);
const relabeling = object({
  action: { enum: ['replace', 'keep', 'drop', 'labelmap', 'labeldrop', 'labelkeep', 'hashmod'] },
  sourceLabels: { type: 'array', items: text },
  targetLabel: text,
  regex: text,
  replacement: text,
});

const SPECS: Readonly<Record<string, SchemaObject>> = {
  'monitoring.coreos.com/v1 ServiceMonitor': object(
    {
      namespaceSelector: object({ matchNames: { type: 'array', items: text } }),
      selector: object({ matchLabels: texts }, ['matchLabels']),
      endpoints: {
        type: 'array',
        minItems: 1,
        items: object(
          {
            port: text,
            scheme: { enum: ['http', 'https'] },
            path: text,
            interval: duration,
            scrapeTimeout: duration,
            authorization: object({ type: text, credentials: keyOf }),
            tlsConfig: object({ serverName: text, ca: object({ secret: keyOf }) }),
            relabelings: { type: 'array', items: relabeling },
            metricRelabelings: { type: 'array', items: relabeling },
          },
          ['port'],
        ),
      },
    },
    ['selector', 'endpoints'],
  ),
  'monitoring.coreos.com/v1 PrometheusRule': object({
    groups: {
      type: 'array',
      minItems: 1,
      items: object(
        {
          name: text,
          rules: {
            type: 'array',
            minItems: 1,
            items: object(
              { record: text, alert: text, expr: text, for: duration, labels: texts, annotations: texts },
              ['expr'],
            ),
          },
        },
        ['name', 'rules'],
      ),
    },
  }),
  'cert-manager.io/v1 Certificate': object(
    {
      secretName: text,
      commonName: { type: 'string', maxLength: 64 },
      dnsNames: { type: 'array', items: text, minItems: 1, uniqueItems: true },
      ipAddresses: { type: 'array', items: { type: 'string', pattern: '^[0-9a-f.:]+$' } },
      duration,
      renewBefore: duration,
      usages: { type: 'array', items: { enum: ['digital signature', 'key encipherment', 'server auth'] } },
      privateKey: object({
        algorithm: { enum: ['RSA', 'ECDSA', 'Ed25519'] },
        size: { type: 'integer' },
        encoding: { enum: ['PKCS1', 'PKCS8'] },
        rotationPolicy: { enum: ['Never', 'Always'] },
      }),
      issuerRef: object({ name: text, kind: { enum: ['Issuer', 'ClusterIssuer'] }, group: text }, ['name']),
    },
    ['secretName', 'issuerRef'],
  ),
};

/** What is wrong with an object of another project's kind; undefined: its kind is not one of these. */
export function crdProblems({ apiVersion, kind, spec }: Manifest): string[] | undefined {
  const schema = SPECS[`${apiVersion} ${kind}`];
  if (schema === undefined) return undefined;
  const check = new Ajv({ allErrors: true }).compile(schema);
  if (check(spec)) return [];
  return (check.errors ?? []).map(
    (error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`,
  );
}

function object(properties: Record<string, object>, required: readonly string[] = []): SchemaObject {
  return { type: 'object', additionalProperties: false, properties, required };
}
