import type { Clock } from '../../lib/clock.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { refused } from '../refused.ts';
import { check, increaseOf, type Claimed, type LimitedResource } from './check.ts';
import type { EvaluatorOf } from './evaluators/evaluators.ts';
import { QuotaLedger, type Charges, type QuotaStore, type QuotaVersion } from './ledger.ts';

export interface ResourceQuotaDependencies<Version extends QuotaVersion> {
  readonly evaluatorOf: EvaluatorOf;
  readonly quotas: QuotaStore<Version>;
  /** What needs a quota, by the configuration. */
  readonly limited: readonly LimitedResource[];
  readonly clock: Clock;
}

/** Holds namespaces to their ResourceQuotas: what a request uses is charged before its object is stored. */
export function resourceQuota<Version extends QuotaVersion>(
  dependencies: ResourceQuotaDependencies<Version>,
): AdmissionPlugin {
  const { evaluatorOf, quotas, limited, clock } = dependencies;
  const asking = new WeakMap<Claimed, AdmissionRequest>();
  const ledger = new QuotaLedger(quotas, (claimed, why) => {
    const request = asking.get(claimed);
    return request === undefined ? new Error(why) : refused(request, why);
  });

  function claim(request: AdmissionRequest): Claimed | undefined {
    const { resource, object, oldObject } = request;
    const evaluator = evaluatorOf(resource);
    if (object === undefined || evaluator?.handles(request) !== true) return undefined;
    const now = clock.now();
    const usage = evaluator.usage(object, now);
    const before = oldObject === undefined ? undefined : evaluator.usage(oldObject, now);
    return {
      evaluator,
      object,
      usage,
      increase: increaseOf(usage, before),
      limited: limited.filter((one) => one.group === resource.group && one.resource === resource.resource),
      limitedScopes: limited.flatMap((one) => one.matchScopes),
    };
  }

  return {
    name: 'ResourceQuota',
    operations: ['CREATE', 'UPDATE'],
    concerns: (resource) => resource.namespaced && evaluatorOf(resource) !== undefined,
    async validate(request) {
      const { namespace, dryRun } = request;
      if (namespace === '') return;
      const known = await quotas.list(namespace, 'cached');
      if (known.length === 0 && limited.length === 0) return;
      const claimed = claim(request);
      if (claimed === undefined) return;
      asking.set(claimed, request);
      const versions = ledger.isBusy(namespace) ? undefined : known.map(({ quota }) => quota);
      const verdict = versions && check(claimed, versions);
      if (verdict !== undefined && 'charges' in verdict && verdict.charges.size === 0) return;
      if (dryRun) {
        await checkOnly(request, claimed);
        return;
      }
      const charges = await ledger.charge(namespace, claimed);
      if (charges.size > 0) request.onUndo?.(() => giveBack(namespace, charges));
    },
  };

  /** Where that fails, the controller finds out. */
  async function giveBack(namespace: string, charges: Charges): Promise<void> {
    await ledger.refund(namespace, charges).catch(() => undefined);
  }

  async function checkOnly(request: AdmissionRequest, claimed: Claimed): Promise<void> {
    const live = await quotas.list(request.namespace, 'live');
    const verdict = check(
      claimed,
      live.map(({ quota }) => quota),
    );
    if ('refusal' in verdict) throw refused(request, verdict.refusal);
  }
}
