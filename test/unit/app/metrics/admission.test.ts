import assert from 'node:assert/strict';
import { admissionObservers } from '../../../../src/app/metrics/admission.ts';
import { readBuilt } from '../../../../src/app/options/built.ts';
import { LATEST } from '../../../../src/admission/pod-security/policy.ts';
import type { MetricCatalogue } from '../../../../src/telemetry/metrics/catalogue.ts';
import { Metrics } from '../../../../src/telemetry/metrics/metrics.ts';
import { admissionRequest, object } from '../../admission/requests.ts';

describe('the metrics of admission', () => {
  const catalogue = readBuilt('orch', 'metrics') as MetricCatalogue;
  const metrics = new Metrics({ catalogue, now: () => 0 });
  const observers = admissionObservers(metrics, () => 0, 32);
  const linesOf = async (name: string): Promise<string[]> =>
    (await metrics.text(new Set([name])))
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#') && !line.includes('_bucket'));

  it('tell how long plugins and steps took', async () => {
    const outcome = { operation: 'CREATE', rejected: true, seconds: 0.5 } as const;
    observers.chain.decided('LimitRanger', 'mutate', outcome);
    observers.chain.ended('validate', outcome);
    const name = 'apiserver_admission_controller_admission_duration_seconds';
    const labels = 'operation="CREATE",rejected="true",type="admit"';
    assert.deepEqual(await linesOf(name), [
      `${name}_sum{name="LimitRanger",${labels}} 0.5`,
      `${name}_count{name="LimitRanger",${labels}} 1`,
    ]);
    assert.match(
      (await linesOf('apiserver_admission_step_admission_duration_seconds')).join(),
      /type="validate"\} 1$/,
    );
  });

  it('count decisions about pods, with releases to come together', async () => {
    const { podSecurity } = observers;
    const request = admissionRequest('deployments', 'apps', { object: object({ name: 'x' }) });
    for (const version of [33, 99, 32, LATEST])
      podSecurity.evaluated('deny', { level: 'baseline', version }, 'warn', request);
    podSecurity.evaluated('allow', { level: 'privileged', version: 5 }, 'enforce', request);
    const lines = await linesOf('pod_security_evaluations_total');
    const versions = lines.map(
      (line) => `${/policy_version="(.*?)"/.exec(line)?.[1]} ${line.split(' ').at(-1)}`,
    );
    assert.deepEqual(versions.sort(), ['future 2', 'latest 1', 'latest 1', 'v1.32 1']);
    assert.match(lines.join(), /request_operation="create",resource="controller",subresource=""/);
    podSecurity.exempted(request);
    podSecurity.failed(true, request);
    assert.match((await linesOf('pod_security_exemptions_total')).join(), / 1$/);
    assert.match((await linesOf('pod_security_errors_total')).join(), /fatal="true".* 1$/);
  });
});
