import assert from 'node:assert/strict';
import { ignoreSelectors, selectorsOf } from '../../../src/authz/selectors.ts';
import { reviewedRequest } from '../../../src/registry/reviews/access-spec.ts';
import { reviewedSelectors } from '../../../src/registry/reviews/review-selectors.ts';

const info = reviewedRequest({ resourceAttributes: { verb: 'list', resource: 'pods' } });

describe('the selectors of a request', () => {
  it('are read from its query', () => {
    const request = {
      info: { ...info, fieldSelector: 'spec.nodeName=a,x!=y', labelSelector: 'app in (b,a)' },
    };
    assert.deepEqual(selectorsOf(request), {
      fields: [
        { field: 'spec.nodeName', equals: true, value: 'a' },
        { field: 'x', equals: false, value: 'y' },
      ],
      labels: [{ key: 'app', operator: 'in', values: ['b', 'a'] }],
    });
    assert.deepEqual(ignoreSelectors(request), { fields: [], labels: [] });
  });

  it('demand nothing where they make no sense', () => {
    const request = { info: { ...info, fieldSelector: 'spec.nodeName', labelSelector: 'a in b' } };
    assert.deepEqual(selectorsOf(request), { fields: [], labels: [] });
  });
});

describe('the selectors of a review', () => {
  const read = (resource: object) => reviewedSelectors({ resourceAttributes: { ...resource } });

  it('are texts or requirements', () => {
    assert.deepEqual(
      read({
        fieldSelector: { rawSelector: 'spec.nodeName=a' },
        labelSelector: { requirements: [{ key: 'app', operator: 'In', values: ['web'] }] },
      }),
      {
        selectors: {
          fields: [{ field: 'spec.nodeName', equals: true, value: 'a' }],
          labels: [{ key: 'app', operator: 'in', values: ['web'] }],
        },
        problems: [],
      },
    );
  });

  for (const [name, resource, fields, problem] of [
    [
      'an unknown operator',
      { fieldSelector: { requirements: [{ key: 'a', operator: 'Foo', values: ['b'] }] } },
      0,
      /^spec\.resourceAttributes\.fieldSelector is ignored: "Foo" is not an operator/,
    ],
    [
      'several values for a field',
      {
        fieldSelector: {
          requirements: [
            { key: 'a', operator: 'In', values: ['b', 'c'] },
            { key: 'a', operator: 'NotIn', values: ['d'] },
          ],
        },
      },
      1,
      /fieldSelector is ignored in part: a field can be compared with one value only$/,
    ],
    ['a text that is no selector', { fieldSelector: { rawSelector: 'a' } }, 0, /fieldSelector is ignored: /],
    [
      'a label that can not be',
      { labelSelector: { requirements: [{ key: '-', operator: 'Exists' }] } },
      0,
      /labelSelector is ignored: the label key "-"/,
    ],
  ] as const) {
    it(`say that they ignore ${name}`, () => {
      const { selectors, problems } = read(resource);
      assert.equal(selectors.fields.length, fields);
      assert.equal(problems.length, 1);
      assert.match(problems[0] ?? '', problem);
    });
  }
});
