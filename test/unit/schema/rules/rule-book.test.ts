import assert from 'node:assert/strict';
import type { ApiObject, JsonObject } from '../../../../src/meta/object.ts';
import { loadSchemas } from '../../../../src/schema/load.ts';
import type { StructType } from '../../../../src/schema/model.ts';
import type { TypeRules } from '../../../../src/schema/rules/format.ts';
import { RuleBook, type TypeChecks } from '../../../../src/schema/rules/rule-book.ts';
import { invalid } from '../../../../src/errors/field-error.ts';

const schemas = loadSchemas({ profile: 'orch' });

function typeOf(group: string, kind: string): StructType {
  const type = schemas.resourceForKind(group, 'v1', kind)?.type;
  assert(type !== undefined);
  return type;
}

const POD = typeOf('', 'Pod');
const DEPLOYMENT = typeOf('apps', 'Deployment');

interface Case {
  readonly rules?: Record<string, TypeRules>;
  readonly checks?: TypeChecks;
  readonly type?: StructType;
  readonly object: JsonObject;
  readonly old?: JsonObject;
}

/** `reason field` of each error, in order. */
function problems({ rules = {}, checks = {}, type = POD, object, old }: Case): string[] {
  const book = new RuleBook({ rules: () => rules, checks });
  const whole = (part: JsonObject): ApiObject => ({ apiVersion: 'v1', kind: 'Pod', metadata: {}, ...part });
  const errors = book.check(type, whole(object), old === undefined ? undefined : whole(old));
  return errors.map(({ reason, field }) => `${reason.replace('FieldValue', '')} ${field}`);
}

const container = (fields: JsonObject): JsonObject => ({ spec: { containers: [{ name: 'c', ...fields }] } });

describe('rules of types', () => {
  describe('for a field', () => {
    const of = (field: string, rules: object): Record<string, TypeRules> => ({
      'core.Container': { fields: { [field]: rules } },
    });
    const cases: [string, object, JsonObject, string[]][] = [
      ['name', { required: true }, { name: '' }, ['Required spec.containers[0].name']],
      ['name', { required: true }, { name: 'c' }, []],
      ['name', { format: 'dnsLabel' }, { name: 'C' }, ['Invalid spec.containers[0].name']],
      ['name', { required: true, format: 'dnsLabel' }, { name: '' }, ['Required spec.containers[0].name']],
      ['image', { pattern: '[a-z]+' }, { image: 'a1' }, ['Invalid spec.containers[0].image']],
      ['image', { maxLength: 3 }, { image: 'äö' }, ['TooLong spec.containers[0].image']],
      ['image', { maxLength: 3 }, { image: 'abc' }, []],
      [
        'imagePullPolicy',
        { enum: ['Always'] },
        { imagePullPolicy: 'x' },
        ['NotSupported spec.containers[0].imagePullPolicy'],
      ],
      ['imagePullPolicy', { enum: ['Always'] }, {}, []],
      ['args', { maxItems: 1 }, { args: ['a', 'b'] }, ['TooMany spec.containers[0].args']],
      ['args', { minItems: 1 }, { args: [] }, []],
      ['args', { unique: true }, { args: ['a', 'b', 'a'] }, ['Duplicate spec.containers[0].args[2]']],
      [
        'args',
        { each: { format: 'ip' } },
        { args: ['10.0.0.1', 'x'] },
        ['Invalid spec.containers[0].args[1]'],
      ],
      [
        'env',
        { unique: ['name'] },
        { env: [{ name: 'a' }, { name: 'a' }] },
        ['Duplicate spec.containers[0].env[1].name'],
      ],
      [
        'ports',
        { unique: ['containerPort', 'protocol'] },
        { ports: [{ containerPort: 1 }, { containerPort: 1, protocol: 'TCP' }, { containerPort: 1 }] },
        ['Duplicate spec.containers[0].ports[2]'],
      ],
      ['tty', { forbidden: { when: { image: [''] } } }, { tty: true }, ['Forbidden spec.containers[0].tty']],
      ['tty', { forbidden: { when: { image: [''] } } }, { tty: true, image: 'i' }, []],
      ['image', { required: { unless: { tty: [true] } } }, {}, ['Required spec.containers[0].image']],
      ['image', { required: { unless: { tty: [true] } } }, { tty: true }, []],
    ];
    for (const [field, rules, object, expected] of cases) {
      it(`${field} ${JSON.stringify(rules)}: ${JSON.stringify(object)}`, () => {
        assert.deepEqual(problems({ rules: of(field, rules), object: container(object) }), expected);
      });
    }

    it('compares quantities as what they are', () => {
      const rules: Record<string, TypeRules> = {
        'core.ResourceRequirements': {
          fields: { limits: { each: { min: 0 }, keys: { format: 'qualifiedName' } } },
        },
      };
      const object = container({ resources: { limits: { cpu: '-1m', memory: '1Gi', '!': '1' } } });
      assert.deepEqual(problems({ rules, object }), [
        'Invalid spec.containers[0].resources.limits[cpu]',
        'Invalid spec.containers[0].resources.limits',
      ]);
    });

    it('takes an absent number for 0 unless it is a pointer', () => {
      const rules = (field: string): Record<string, TypeRules> => ({
        'apps.DeploymentSpec': { fields: { [field]: { min: 1 } } },
      });
      const object = { spec: {} };
      assert.deepEqual(problems({ type: DEPLOYMENT, rules: rules('minReadySeconds'), object }), [
        'Invalid spec.minReadySeconds',
      ]);
      assert.deepEqual(problems({ type: DEPLOYMENT, rules: rules('replicas'), object }), []);
    });

    it('of a struct that is absent, but no pointer, is missing', () => {
      const rules: Record<string, TypeRules> = {
        'apps.DeploymentSpec': { fields: { selector: { required: true } } },
      };
      assert.deepEqual(problems({ type: DEPLOYMENT, rules, object: {} }), ['Required spec.selector']);
    });
  });

  describe('for several fields', () => {
    const rules = (word: 'exactlyOneOf' | 'atMostOneOf'): Record<string, TypeRules> => ({
      'core.ProbeHandler': {},
      'core.Volume': { [word]: ['emptyDir', 'hostPath', 'secret'] },
    });
    const pod = (volume: JsonObject): JsonObject => ({ spec: { volumes: [{ name: 'v', ...volume }] } });
    it('asks for exactly one', () => {
      const check = (volume: JsonObject): string[] =>
        problems({ rules: rules('exactlyOneOf'), object: pod(volume) });
      assert.deepEqual(check({ emptyDir: {} }), []);
      assert.deepEqual(check({}), ['Required spec.volumes[0]']);
      assert.deepEqual(check({ emptyDir: {}, secret: {} }), ['Forbidden spec.volumes[0].secret']);
    });
    it('asks for at most one', () => {
      assert.deepEqual(problems({ rules: rules('atMostOneOf'), object: pod({}) }), []);
    });
  });

  describe('for updates', () => {
    const rules: Record<string, TypeRules> = {
      'apps.DeploymentSpec': { fields: { selector: { immutable: true }, paused: { immutable: 'onceSet' } } },
    };
    const change = (before: JsonObject, after: JsonObject): string[] =>
      problems({ type: DEPLOYMENT, rules, object: { spec: after }, old: { spec: before } });
    it('keep what never changes', () => {
      assert.deepEqual(change({ selector: { a: 'b' } }, { selector: { a: 'c' } }), ['Invalid spec.selector']);
      assert.deepEqual(change({ selector: { a: 'b' } }, { selector: { a: 'b' } }), []);
    });
    it('keep what was set once', () => {
      assert.deepEqual(change({ paused: true }, {}), ['Invalid spec.paused']);
      assert.deepEqual(change({}, { paused: true }), []);
    });
  });

  it('of a type hold wherever it stands, checks included', () => {
    const checks: TypeChecks = {
      'core.PodSpec': (spec, at, { errors }) => {
        if (spec['nodeName'] !== 'n') errors.push(invalid(at.child('nodeName'), spec['nodeName'], 'is n'));
      },
    };
    assert.deepEqual(problems({ type: DEPLOYMENT, checks, object: { spec: { template: { spec: {} } } } }), [
      'Invalid spec.template.spec.nodeName',
    ]);
    assert.deepEqual(problems({ checks, object: { spec: { nodeName: 'n' } } }), []);
  });

  it('leave the status to its own requests', () => {
    const rules: Record<string, TypeRules> = {
      'core.PodStatus': { fields: { phase: { enum: ['Pending'] } } },
    };
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {},
      status: { phase: 'x' },
    } as unknown as ApiObject;
    const book = new RuleBook({ rules: () => rules, checks: {} });
    assert.deepEqual(book.check(POD, pod), []);
    assert.equal(book.checkStatus(POD, pod, pod)[0]?.field, 'status.phase');
  });

  it('of types that contain themselves end', () => {
    const rules: Record<string, TypeRules> = {
      'apiextensions.JSONSchemaProps': { fields: { type: { enum: ['object'] } } },
    };
    const type = typeOf('apiextensions.orch.io', 'CustomResourceDefinition');
    const schema = { type: 'object', properties: { a: { type: 'x' } } };
    const object = { spec: { versions: [{ schema: { openAPIV3Schema: schema } }] } };
    assert.deepEqual(problems({ type, rules, object }), [
      'NotSupported spec.versions[0].schema.openAPIV3Schema.properties[a].type',
    ]);
  });
});
