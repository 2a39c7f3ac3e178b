import assert from 'node:assert/strict';
import { PROFILES } from '../../support/schemas.ts';
import { Cluster } from '../verbs/cluster.ts';

for (const profile of PROFILES) {
  describe(`PriorityClasses (${profile})`, () => {
    let cluster: Cluster;
    let classes: string;
    before(async () => {
      cluster = await Cluster.open({ profile });
      classes = `/apis/${cluster.names.get('group.scheduling')}/v1/priorityclasses`;
      const made = { 'system-node-critical': 2_000_001_000, high: 5 };
      for (const [name, value] of Object.entries(made))
        await cluster.expect(201, `POST ${classes}`, { body: { metadata: { name }, value } });
    });
    after(() => cluster.close());

    it('of the system are not deleted, not even together with others', async () => {
      for (const query of ['', '?dryRun=All'])
        await cluster.expect(403, `DELETE ${classes}/system-node-critical${query}`);
      await cluster.expect(403, `DELETE ${classes}`);
      await cluster.expect(200, `GET ${classes}/system-node-critical`);
    });

    it('of users are', async () => {
      await cluster.ask(`DELETE ${classes}/high`);
      assert.equal((await cluster.ask(`GET ${classes}/high`)).status, 404);
    });
  });
}
