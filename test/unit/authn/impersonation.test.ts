import assert from 'node:assert/strict';
import {
  impersonatedUser,
  impersonationChecks,
  readImpersonation,
} from '../../../src/authn/impersonation.ts';

const read = (...headers: string[]) => {
  const asked = readImpersonation(headers);
  assert.ok(asked !== undefined);
  return asked;
};

describe('impersonation', () => {
  it('is none without its headers', () => {
    assert.equal(readImpersonation(['accept', '*/*', 'x-impersonate-user', 'jane']), undefined);
    assert.equal(readImpersonation(['Impersonate-User', '']), undefined);
  });

  it('takes repeated headers as they are, commas and all, and keys of extra values decoded', () => {
    const headers = [
      ...['Impersonate-User', 'jane'],
      ...['Impersonate-Uid', 'u-1'],
      ...['impersonate-group', 'a, b', 'Impersonate-Group', 'c'],
      ...['Impersonate-Extra-Acme.com%2FProject', 'p', 'Impersonate-Extra-acme.com%2fproject', 'q'],
      ...['Impersonate-Extra-%zz', 'x', 'Impersonate-Extra-__proto__', 'y'],
    ];
    const { extra, ...rest } = read(...headers);
    assert.deepEqual(rest, { name: 'jane', uid: 'u-1', groups: ['a, b', 'c'] });
    assert.deepEqual(Object.entries(extra), [
      ['acme.com/project', ['p', 'q']],
      ['%zz', ['x']],
      ['__proto__', ['y']],
    ]);
  });

  for (const header of ['Impersonate-Group', 'Impersonate-Uid', 'Impersonate-Extra-Scopes']) {
    it(`is an error with ${header} and without a user`, () => {
      assert.throws(() => readImpersonation([header, 'x']), { code: 500, asText: true });
    });
  }

  it('needs permission for each part of it', () => {
    const asked = read(
      ...['Impersonate-User', 'jane', 'Impersonate-Group', 'a', 'Impersonate-Group', 'b'],
      ...['Impersonate-Extra-scopes', 's', 'Impersonate-Uid', 'u'],
    );
    const checks = impersonationChecks(asked, 'authentication').map((info) => {
      assert.equal(info.verb, 'impersonate');
      return `${info.group} ${info.resource}/${info.subresource} ${info.namespace}/${info.name}`;
    });
    assert.deepEqual(checks, [
      ' users/ /jane',
      ' groups/ /a',
      ' groups/ /b',
      'authentication userextras/scopes /s',
      'authentication uids/ /u',
    ]);
  });

  for (const [user, check, groups] of [
    [
      'system:serviceaccount:n:a',
      'serviceaccounts n/a',
      ['system:serviceaccounts', 'system:serviceaccounts:n', 'system:authenticated'],
    ],
    ['system:serviceaccount:n:a:b', 'users /system:serviceaccount:n:a:b', ['system:authenticated']],
    ['system:serviceaccount:A b:c', 'users /system:serviceaccount:A b:c', ['system:authenticated']],
    ['system:serviceaccount:n:C', 'users /system:serviceaccount:n:C', ['system:authenticated']],
    ['system:serviceaccount:n', 'users /system:serviceaccount:n', ['system:authenticated']],
    ['system:anonymous', 'users /system:anonymous', ['system:unauthenticated']],
    ['jane', 'users /jane', ['system:authenticated']],
  ] as const) {
    it(`knows what ${user} is`, () => {
      const asked = read('Impersonate-User', user);
      const [info] = impersonationChecks(asked, 'authentication');
      assert.equal(`${info?.resource} ${info?.namespace}/${info?.name}`, check);
      assert.deepEqual(impersonatedUser(asked).groups, groups);
    });
  }

  it('adds no group where one says whether the user is known', () => {
    const asked = read('Impersonate-User', 'jane', 'Impersonate-Group', 'system:unauthenticated');
    assert.deepEqual(impersonatedUser(asked).groups, ['system:unauthenticated']);
  });
});
