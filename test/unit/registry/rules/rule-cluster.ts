import { defaultTolerationSeconds } from '../../../../src/admission/default-toleration-seconds/plugin.ts';
import { taintNodesByCondition } from '../../../../src/admission/taint-nodes-by-condition/plugin.ts';
import type { JsonObject } from '../../../../src/meta/object.ts';
import { loadNames } from '../../../../src/names/load.ts';
import type { ProfileName } from '../../../../src/names/profile.ts';
import type { Ask } from '../../../support/rule-cases.ts';
import { Cluster } from '../../verbs/cluster.ts';

/** A cluster to replay recorded writes against, with the plugins whose work is in the records. */
export interface RuleCluster {
  readonly ask: Ask;
  close(): void;
}

/** @param setting which versions and gates are on. */
export async function openRuleCluster(
  profile: ProfileName,
  setting: 'default' | 'all',
): Promise<RuleCluster> {
  const names = loadNames({ profile });
  const tolerations = defaultTolerationSeconds(
    ['taint.not-ready', 'taint.unreachable'].map((id) => ({ taint: names.get(id), seconds: 300 })),
  );
  const taints = taintNodesByCondition(names.get('taint.not-ready'));
  const cluster = await Cluster.open({ profile, setting, services: true, plugins: [tolerations, taints] });
  await cluster.expect(201, 'POST /api/v1/namespaces', { body: { metadata: { name: 'probe' } } });
  return {
    async ask(line, body) {
      const { status, object } = await cluster.ask(line, body === undefined ? {} : { body });
      return { status, object: JSON.parse(JSON.stringify(object)) as JsonObject };
    },
    close: () => {
      cluster.close();
    },
  };
}
