import assert from 'node:assert/strict';
import { translate } from '../../../golden/runner/text.ts';
import {
  readRuleGroups,
  replay,
  type Ask,
  type RuleCase,
  type RuleGroup,
} from '../../../support/rule-cases.ts';
import { PROFILES, readFact } from '../../../support/schemas.ts';
import { inOrder } from './outcomes.ts';
import { openRuleCluster, type RuleCluster } from './rule-cluster.ts';

/** What the facts tell of updates of one field of a kind: the causes of the refusals. */
type FieldFact = Readonly<Record<string, { readonly causes: readonly string[] }>>;

interface KindFact {
  /** By the path of a field, and by what was tried with it. */
  readonly detail: Readonly<Record<string, FieldFact>>;
  readonly mutable: readonly string[];
  /** Updates of these pass and change nothing. */
  readonly ignored: readonly string[];
}

/** One line of the facts. */
interface Told {
  /** Such as `change /spec/type`. */
  readonly title: string;
  readonly want: string;
}

/**
 * Answers that tell nothing of the field: somebody wrote to the object in between, or the server failed, as the Go one
 * does at a node port that is there twice. What was recorded later counts.
 */
const SILENT: ReadonlySet<string> = new Set(['409 Conflict', '500 ']);

function toldOf({ detail, mutable, ignored }: KindFact): Told[] {
  return [
    ...mutable.map((path) => ({ title: `change ${path}`, want: 'changed' })),
    ...ignored.map((path) => ({ title: `ignore ${path}`, want: 'unchanged' })),
    ...Object.entries(detail).flatMap(([path, tried]) =>
      Object.entries(tried).map(([what, { causes }]) => ({
        title: `${what} ${path}`,
        want: outcomeOf(causes),
      })),
    ),
  ];
}

/** `spec.type:NotSupported` as a recorded write says it, or the status that was all there was. */
function outcomeOf(causes: readonly string[]): string {
  const [first = ''] = causes;
  if (/^\d/.test(first)) return first;
  return `422 ${causes
    .map((cause) => cause.replace(/^(.*):(\w+)$/, '$2 $1'))
    .sort()
    .join(', ')}`;
}

/** The write that the facts tell of: a recorded one, or its like with a value that no enumeration has. */
function writeOf({ title: kind, cases }: RuleGroup, { title, want }: Told): RuleCase {
  const recorded = cases.filter((one) => one.title.replaceAll('~1', '/') === title);
  const [first] = recorded;
  assert.ok(first !== undefined, `${kind} has no write of which this tells: ${title}`);
  if (SILENT.has(want)) return first;
  const same = recorded.find((one) => inOrder(one.want) === inOrder(want));
  if (same !== undefined || !title.startsWith('change ')) return { ...(same ?? first), want };
  const patch = first.patch.map((step) => ({ ...step, value: `${step['value'] as string}x` }));
  return { ...first, patch, want };
}

for (const profile of PROFILES) {
  describe(`updates of every field that the facts tell of (${profile} names)`, function () {
    let cluster: RuleCluster;
    before(async () => {
      cluster = await openRuleCluster(profile, 'default');
    });
    after(() => cluster.close());

    const ask: Ask = (line, body) => cluster.ask(line, body);
    const groups = new Map(readRuleGroups('updates').map((group) => [group.title, group]));
    for (const [kind, fact] of Object.entries(readFact<Record<string, KindFact>>('immutable.json'))) {
      it(`are refused, made and ignored as told: ${kind}`, async () => {
        const group = groups.get(kind);
        assert.ok(group !== undefined, `${kind} has no recorded object`);
        const cases = toldOf(fact).map((told) => writeOf(group, told));
        const asked = translate({ ...group, cases }, profile);
        const got = await replay(asked, ask);
        const outcomes = asked.cases.map(({ title }, i) => `${title}: ${inOrder(got[i] ?? 'nothing')}`);
        assert.deepEqual(
          outcomes,
          asked.cases.map(({ title, want }) => `${title}: ${inOrder(want)}`),
        );
      });
    }

    it('are refused where a node port is there twice, which the Go API server answers with 500', async () => {
      const group = groups.get('v1/Service');
      assert.ok(group !== undefined);
      const patch = [{ op: 'copy', from: '/spec/ports/1', path: '/spec/ports/-' }];
      const cases = [{ title: 'a port twice', patch, want: '' }];
      assert.deepEqual(await replay({ ...group, cases }, ask), [
        '422 Duplicate spec.ports[2], Duplicate spec.ports[2].name, Duplicate spec.ports[2].nodePort',
      ]);
    });
  });
}
