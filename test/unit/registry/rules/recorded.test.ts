import assert from 'node:assert/strict';
import { translate } from '../../../golden/runner/text.ts';
import { readRuleGroups, replay, type Ask, type RuleGroup } from '../../../support/rule-cases.ts';
import { PROFILES } from '../../../support/schemas.ts';
import { LATER } from './later.ts';
import { inOrder } from './outcomes.ts';
import { openRuleCluster, type RuleCluster } from './rule-cluster.ts';

/**
 * Files of `test/fixtures/rules/`, recorded from the Go API server by `hack/record-rules.ts` with the default settings, or
 * with the gates and versions that the kinds need.
 */
const FILES = {
  default: ['odd-objects', 'updates', 'workloads', 'services', 'schemas', 'expressions', 'empty-texts'],
  all: ['odd-objects-gated', 'gated-pods'],
} as const;
const SETTINGS = ['default', 'all'] as const;

for (const [profile, setting] of PROFILES.flatMap((name) => SETTINGS.map((one) => [name, one] as const))) {
  describe(`what the reference refuses and accepts (${profile} names, ${setting} settings)`, function () {
    let cluster: RuleCluster;
    before(async () => {
      cluster = await openRuleCluster(profile, setting);
    });
    after(() => cluster.close());

    const ask: Ask = (line, body) => cluster.ask(line, body);

    for (const file of FILES[setting]) {
      for (const recorded of readRuleGroups(file)) {
        it(`is refused and accepted here: ${recorded.title}`, async () => {
          const wrong = differences(
            translate(recorded, profile),
            await results(translate(recorded, profile), ask),
          );
          if (!LATER.has(recorded.title)) assert.deepEqual(wrong, []);
          else assert.notDeepEqual(wrong, [], 'passes: take it off the list');
        });
      }
    }
  });
}

async function results(group: RuleGroup, ask: Ask): Promise<string[]> {
  try {
    return await replay(group, ask);
  } catch (error) {
    return [String(error)];
  }
}

function differences({ cases }: RuleGroup, got: readonly string[]): string[] {
  return cases.flatMap(({ title, want }, i) => {
    const made = got[i] ?? 'nothing';
    return inOrder(want) === inOrder(made) ? [] : [`${title}: want ${want}, got ${made}`];
  });
}
