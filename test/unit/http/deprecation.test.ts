import assert from 'node:assert/strict';
import { deprecationWarnings } from '../../../src/http/deprecation.ts';
import type { Lifecycle } from '../../../src/schema/model.ts';
import { openSchemas } from '../../support/schemas.ts';
import { resourceRow } from '../../support/http-gateway.ts';

describe('deprecation warnings', () => {
  const rows: [lifecycle: Lifecycle, release: string, text: string | undefined][] = [
    [{ introduced: '1.0' }, '1.32', undefined],
    [{ introduced: '1.0', deprecated: '1.33' }, '1.32', undefined],
    [{ introduced: '1.0', deprecated: '1.9' }, '1.32', 'batch/v1beta1 CronJob is deprecated since 1.9'],
    [
      {
        introduced: '1.8',
        deprecated: '1.21',
        removed: '1.25',
        replacement: { group: 'batch', version: 'v1', kind: 'CronJob' },
      },
      '1.24',
      'batch/v1beta1 CronJob is deprecated since 1.21, and gone in 1.25; use batch/v1 CronJob',
    ],
  ];
  for (const [lifecycle, release, text] of rows) {
    it(`are in ${release}: ${text ?? 'none'}`, () => {
      const row = { resource: 'cronjobs', kind: 'CronJob', group: 'batch', version: 'v1beta1', lifecycle };
      assert.equal(deprecationWarnings(release)(resourceRow(row)), text);
    });
  }

  /** What is warned of, of everything that is served. */
  function told({ registry }: ReturnType<typeof openSchemas>): string[] {
    return registry
      .groups()
      .flatMap(({ name, versions }) => versions.flatMap((version) => registry.resourcesOf(name, version)))
      .map(deprecationWarnings('1.32'))
      .filter((text) => text !== undefined);
  }

  it('are given for component statuses, and for nothing else that is served by default', () => {
    assert.deepEqual(told(openSchemas('kubernetes')), ['v1 ComponentStatus is deprecated since 1.19']);
  });

  it('are given for early versions that have had their time', () => {
    assert.deepEqual(told(openSchemas('kubernetes', 'all')), [
      'v1 ComponentStatus is deprecated since 1.19',
      'storage.k8s.io/v1alpha1 VolumeAttributesClass is deprecated since 1.32, and gone in 1.35',
      'admissionregistration.k8s.io/v1beta1 ValidatingAdmissionPolicy is deprecated since 1.31, and gone in 1.34',
      'admissionregistration.k8s.io/v1beta1 ValidatingAdmissionPolicyBinding is deprecated since 1.31, and gone in 1.34',
    ]);
  });
});
