import assert from 'node:assert/strict';
import { resolveRuntimeConfig } from '../../../../src/app/options/runtime-config.ts';

const resources = [
  ['', 'v1', 'pods'],
  ['', 'v1', 'secrets'],
  ['apps', 'v1', 'deployments'],
  ['batch', 'v1', 'jobs'],
  ['batch', 'v1beta1', 'jobs'],
  ['batch', 'v2alpha1', 'jobs'],
  ['batch', 'v2alpha1', 'runs'],
].map(([group = '', version = '', resource = '']) => ({ group, version, resource }));

const STABLE = ['/v1/pods', '/v1/secrets', 'apps/v1/deployments', 'batch/v1/jobs'];
const BETA = ['batch/v1beta1/jobs'];
const ALPHA = ['batch/v2alpha1/jobs', 'batch/v2alpha1/runs'];

describe('--runtime-config', () => {
  for (const [config, expected] of [
    [{}, STABLE],
    [{ 'api/all': 'true' }, [...STABLE, ...BETA, ...ALPHA]],
    [{ 'api/beta': '' }, [...STABLE, ...BETA]],
    [{ 'api/alpha': 'true' }, [...STABLE, ...ALPHA]],
    [{ 'api/ga': 'false' }, []],
    [{ 'api/all': 'false', 'api/beta': 'true' }, BETA],
    [{ 'api/beta': 'true', 'api/all': 'false' }, BETA],
    [{ 'api/all': 'true', 'api/alpha': 'false' }, [...STABLE, ...BETA]],
    [{ 'batch/v2alpha1': '' }, [...STABLE, ...ALPHA]],
    [{ 'batch/v2alpha1/runs': 'true' }, [...STABLE, 'batch/v2alpha1/runs']],
    [{ 'api/all': 'false', 'batch/v1': 'true' }, ['batch/v1/jobs']],
    [{ 'batch/v2alpha1': 'true', 'batch/v2alpha1/jobs': 'false' }, [...STABLE, 'batch/v2alpha1/runs']],
    [{ 'apps/v1': 'false' }, STABLE.filter((name) => !name.startsWith('apps'))],
    [{ 'v1/secrets': 'false' }, STABLE.filter((name) => name !== '/v1/secrets')],
    [{ v1: 'false' }, STABLE.filter((name) => !name.startsWith('/'))],
  ] as readonly (readonly [Record<string, string>, string[]])[]) {
    it(JSON.stringify(config), () => {
      const { served, problems } = resolveRuntimeConfig(new Map(Object.entries(config)), resources);
      assert.deepEqual(problems, []);
      const found = resources.filter(({ group, version, resource }) => served(group, version, resource));
      assert.deepEqual(
        found.map(({ group, version, resource }) => `${group}/${version}/${resource}`),
        expected,
      );
    });
  }

  for (const [key, value, problem] of [
    ['batch/v9', 'true', 'there is no batch/v9'],
    ['batch', 'true', 'there is no batch'],
    ['nope/v1', 'true', 'there is no nope/v1'],
    ['batch/v1/Jobs', 'true', 'there is no batch/v1/Jobs'],
    ['batch/v1/jobs/status', 'true', 'there is no batch/v1/jobs/status'],
    ['api/legacy', 'true', 'there is no api/legacy'],
    ['__proto__', '', 'there is no __proto__'],
    ['api/all', 'maybe', 'api/all=maybe is neither true nor false'],
  ] as const) {
    it(`${key}=${value} is refused`, () => {
      const { problems } = resolveRuntimeConfig(new Map([[key, value]]), resources);
      assert.deepEqual(problems, [`--runtime-config: ${problem}`]);
    });
  }
});
