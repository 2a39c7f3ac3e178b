import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/object.ts';
import { defaultPodSpec } from '../../../src/registry/pod/template-defaults.ts';

describe("a pod spec's service account", () => {
  const cases: { name: string; sent: JsonObject; kept: JsonObject }[] = [
    {
      name: 'is also told by its older name',
      sent: { serviceAccountName: 'robot' },
      kept: { serviceAccountName: 'robot', serviceAccount: 'robot' },
    },
    {
      name: 'may be sent by its older name',
      sent: { serviceAccount: 'robot' },
      kept: { serviceAccountName: 'robot', serviceAccount: 'robot' },
    },
    {
      name: 'is the newer name where they differ',
      sent: { serviceAccountName: 'robot', serviceAccount: 'other' },
      kept: { serviceAccountName: 'robot', serviceAccount: 'robot' },
    },
    { name: 'stays open where none is sent', sent: {}, kept: {} },
  ];
  for (const { name, sent, kept } of cases) {
    it(name, () => {
      const spec = { ...sent };
      defaultPodSpec(spec);
      assert.deepEqual(spec, kept);
    });
  }
});
