import assert from 'node:assert/strict';
import { translate } from '../../golden/runner/text.ts';
import { PROFILES, readFact } from '../../support/schemas.ts';
import { Cluster } from '../verbs/cluster.ts';

/** The fields that selectors may name, by `/version/resource` or `/group/version/resource`. */
type SelectorFacts = Readonly<Record<string, { readonly fields: readonly string[] }>>;

for (const profile of PROFILES) {
  describe(`field selectors of kinds (${profile})`, () => {
    let cluster: Cluster;
    before(async () => (cluster = await Cluster.open({ profile, setting: 'default' })));
    after(() => cluster.close());

    const facts = translate(readFact<SelectorFacts>('selectors.json'), profile);
    const known = [...new Set(Object.values(facts).flatMap(({ fields }) => fields)), 'spec.nonsense'];
    for (const [key, { fields }] of Object.entries(facts)) {
      const [resource = '', version = '', group = ''] = key.replace(/^\//, '').split('/').reverse();
      const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
      it(`are those of the reference: ${key}`, async () => {
        const accepted: string[] = [];
        for (const field of known) {
          const { status } = await cluster.ask(`GET ${path}/${resource}?fieldSelector=${field}%3Dx`);
          assert(status === 200 || status === 400, `${field}: ${status}`);
          if (status === 200) accepted.push(field);
        }
        assert.deepEqual(accepted.sort(), [...fields].sort());
      });
    }
  });
}
