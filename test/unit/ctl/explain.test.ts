import assert from 'node:assert/strict';
import { wrapText } from '../../../src/cli/ctl/explain/wrap.ts';
import { runLine } from '../../support/run-line.ts';

const DOCUMENT = {
  components: {
    schemas: {
      Pod: {
        description: 'Pod is a group.',
        type: 'object',
        'x-kubernetes-group-version-kind': [{ group: '', version: 'v1', kind: 'Pod' }],
        properties: {
          spec: { description: 'What is wanted.', allOf: [{ $ref: '#/components/schemas/io.x.PodSpec' }] },
          kind: { type: 'string' },
        },
      },
      'io.x.PodSpec': {
        description: 'PodSpec is wanted.',
        type: 'object',
        required: ['items'],
        properties: {
          items: {
            type: 'array',
            description: 'Many.',
            items: { $ref: '#/components/schemas/io.x.PodSpec' },
          },
          policy: { type: 'string', enum: ['', 'A', 'B', 'C', 'D'] },
          labels: { type: 'object', additionalProperties: { type: 'string' } },
          size: { allOf: [{ $ref: '#/components/schemas/io.x.Quantity' }] },
        },
      },
      'io.x.Quantity': { type: 'string', description: 'An amount.' },
    },
  },
};
const answers = { '/openapi/v3/api/v1': DOCUMENT };

describe('orchctl explain', () => {
  it('tells of a type', async () => {
    const { stdout, code } = await runLine(['explain', 'po'], { answers });
    assert.equal(code, 0);
    assert.equal(
      stdout,
      `KIND:       Pod
VERSION:    v1

DESCRIPTION:
    Pod is a group.
    
FIELDS:
  kind\t<string>
    <no description>

  spec\t<PodSpec>
    What is wanted.


`,
    );
  });

  it('tells of a field, of what its values are, and of what is required', async () => {
    const { stdout } = await runLine(['explain', 'pods.spec.items'], { answers });
    assert.match(
      stdout,
      /^FIELD: items <\[\]PodSpec>\n\n\nDESCRIPTION:\n {4}Many\.\n {4}PodSpec is wanted\.\n/m,
    );
    assert.match(stdout, /^ {2}items\t<\[\]PodSpec> -required-\n {4}Many\.$/m);
    assert.match(stdout, /^ {2}labels\t<map\[string\]string>$/m);
    assert.match(stdout, /^ {2}policy\t<string>\n {2}enum: "", A, B, C, \.\.\.\.$/m);
    assert.match(stdout, /^ {2}size\t<string>$/m);
  });

  it('lists all values of a field', async () => {
    const { stdout } = await runLine(['explain', 'pods.spec.policy'], { answers });
    assert.match(stdout, /^FIELD: policy <string>\nENUM:\n {4}""\n {4}A\n {4}B\n {4}C\n {4}D\n\n/m);
  });

  it('names all fields below, and ends where a type is inside itself', async () => {
    const { stdout } = await runLine(['explain', 'pods', '--recursive'], { answers });
    const fields = stdout.slice(stdout.indexOf('FIELDS:'));
    assert.equal(
      fields,
      `FIELDS:
  kind\t<string>
  spec\t<PodSpec>
    items\t<[]PodSpec> -required-
    labels\t<map[string]string>
    policy\t<string>
    enum: "", A, B, C, ....
    size\t<string>

`,
    );
  });

  const refused: readonly [string, RegExp][] = [
    ['explain', /You must specify the type of resource to explain/],
    ['explain pods services', /We accept only this format/],
    ['explain nosuch', /doesn't have a resource type "nosuch"/],
    ['explain pods.nope', /^error: field "nope" does not exist\n/],
    ['explain pods --api-version=v9', /couldn't find resource for "pods in v9"/],
  ];
  for (const [line, message] of refused) {
    it(`refuses: ${line}`, async () => {
      const { code, stderr } = await runLine(line.split(' '), { answers });
      assert.match(stderr, message);
      assert.equal(code, 1);
    });
  }

  const wrapped: readonly [string, number, string][] = [
    ['aa bb cc', 5, 'aa bb\ncc'],
    ['aaaaaaaa bb', 5, 'aaaaaaaa\nbb'],
    ['a aaaaaaaa', 5, 'a\naaaaaaaa'],
    ['a\n\nb', 5, 'a\n\nb'],
    ['  a b', 5, '  a b'],
  ];
  for (const [text, limit, result] of wrapped) {
    it(`wraps ${JSON.stringify(text)} at ${limit}`, () => assert.equal(wrapText(text, limit), result));
  }
});
