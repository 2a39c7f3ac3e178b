import assert from 'node:assert/strict';
import { startAccessPlane, type AccessPlane } from '../../support/access.ts';

const GROUP = '/apis/authorization.orch.io/v1';

describe("reviews' namespaces", function () {
  this.timeout(60_000);
  let server: AccessPlane;
  before(async () => {
    server = await startAccessPlane({ admin: ['system:masters'] });
  });
  after(() => server[Symbol.asyncDispose]());

  const cases: readonly (readonly [title: string, path: string, metadata: object, status: number])[] = [
    ['is the one of the path, unsaid', 'namespaces/default/localsubjectaccessreviews', {}, 201],
    ['is that, said', 'namespaces/default/localsubjectaccessreviews', { namespace: 'default' }, 201],
    ['is no other', 'namespaces/default/localsubjectaccessreviews', { namespace: 'other' }, 400],
    ['is none for reviews of everything', 'subjectaccessreviews', { namespace: 'default' }, 201],
    ['is none for reviews of oneself', 'selfsubjectaccessreviews', { namespace: 'default' }, 201],
  ];
  for (const [title, path, metadata, status] of cases) {
    it(title, async () => {
      const resourceAttributes = { namespace: 'default', verb: 'get', resource: 'pods' };
      const user = path.startsWith('self') ? {} : { user: 'jane' };
      const body = { metadata, spec: { ...user, resourceAttributes } };
      const answer = await server.ask('admin', { method: 'POST', path: `${GROUP}/${path}`, body });
      assert.equal(answer.status, status, JSON.stringify(answer.body));
    });
  }
});
