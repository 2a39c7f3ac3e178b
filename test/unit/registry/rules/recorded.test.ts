import assert from 'node:assert/strict';
import { defaultTolerationSeconds } from '../../../../src/admission/default-toleration-seconds/plugin.ts';
import { taintNodesByCondition } from '../../../../src/admission/taint-nodes-by-condition/plugin.ts';
import type { JsonObject } from '../../../../src/meta/object.ts';
import { loadNames } from '../../../../src/names/load.ts';
import { translate } from '../../../golden/runner/text.ts';
import { readRuleGroups, replay, type Ask, type RuleGroup } from '../../../support/rule-cases.ts';
import { PROFILES } from '../../../support/schemas.ts';
import { Cluster } from '../../verbs/cluster.ts';
import { LATER } from './later.ts';

/**
 * Files of `test/fixtures/rules/`, recorded from the Go API server by `hack/record-rules.ts` with the default settings, or
 * with the gates and versions that the kinds need.
 */
const FILES = {
  default: ['odd-objects', 'updates', 'workloads', 'services', 'schemas', 'expressions', 'empty-texts'],
  all: ['odd-objects-gated'],
} as const;
const SETTINGS = ['default', 'all'] as const;

for (const [profile, setting] of PROFILES.flatMap((name) => SETTINGS.map((one) => [name, one] as const))) {
  const names = loadNames({ profile });
  describe(`what the reference refuses and accepts (${profile} names, ${setting} settings)`, function () {
    let cluster: Cluster;
    before(async () => {
      const tolerations = defaultTolerationSeconds(
        ['taint.not-ready', 'taint.unreachable'].map((id) => ({ taint: names.get(id), seconds: 300 })),
      );
      const taints = taintNodesByCondition(names.get('taint.not-ready'));
      cluster = await Cluster.open({ profile, setting, services: true, plugins: [tolerations, taints] });
      await cluster.expect(201, 'POST /api/v1/namespaces', { body: { metadata: { name: 'probe' } } });
    });
    after(() => cluster.close());

    const ask: Ask = async (line, body) => {
      const { status, object } = await cluster.ask(line, body === undefined ? {} : { body });
      return { status, object: JSON.parse(JSON.stringify(object)) as JsonObject };
    };

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

/** Names differ between profiles, and so does their order; the reference says some things twice. */
function inOrder(outcome: string): string {
  const [status = ''] = outcome.split(' ');
  const causes = outcome.slice(status.length + 1).split(/, (?=[A-Z]\w+ )/);
  return `${status} ${[...new Set(causes)].sort().join(', ')}`;
}
