import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildKustomization } from '../../../../src/cli/ctl/manifests/kustomize/build.ts';
import { REFUSED as REFUSED_FIELDS } from '../../../../src/cli/ctl/manifests/kustomize/kustomization-schema.ts';
import {
  KUSTOMIZATIONS,
  REFUSED_KUSTOMIZATIONS,
  writeKustomization,
  type KustomizationCase,
} from '../../../support/kustomizations.ts';

const EXPECTED = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../fixtures/kustomizations.json'), 'utf8'),
) as Record<string, unknown>;

async function build(one: KustomizationCase): Promise<unknown> {
  const { path, remove } = writeKustomization(one);
  try {
    return JSON.parse(JSON.stringify(await buildKustomization(path)));
  } finally {
    remove();
  }
}

describe('kustomizations', () => {
  for (const one of KUSTOMIZATIONS) {
    it(`builds ${one.name} as kubectl does`, async () => {
      assert.deepEqual(await build(one), EXPECTED[one.name]);
    });
  }

  for (const one of REFUSED_KUSTOMIZATIONS) {
    it(`refuses ${one.name}`, async () => {
      await assert.rejects(build(one), one.why);
    });
  }

  for (const field of REFUSED_FIELDS) {
    it(`refuses ${field} by name`, async () => {
      const files = { 'kustomization.yaml': `namePrefix: a-\n${field}: []\n` };
      await assert.rejects(
        build({ name: field, files }),
        new RegExp(`line 2: ${field}: is not supported here`),
      );
    });
  }

  it('refuses what would be fetched', async () => {
    for (const path of ['https://example.com/a.yaml', 'github.com/a/b//c?ref=v1', 'git@example.com:a/b']) {
      const files = { 'kustomization.yaml': `resources: ["${path}"]\n` };
      await assert.rejects(build({ name: path, files }), /remote resources are not read/);
    }
  });

  it('refuses few folders that stand for millions', async () => {
    const files: Record<string, string> = { 'f0/kustomization.yaml': 'namePrefix: a-\n' };
    for (let i = 1; i < 25; i++) {
      files[`f${i}/kustomization.yaml`] = `resources: [../a${i}, ../b${i}]\n`;
      files[`a${i}/kustomization.yaml`] = `resources: [../f${i - 1}]\nnamePrefix: a-\n`;
      files[`b${i}/kustomization.yaml`] = `resources: [../f${i - 1}]\nnamePrefix: b-\n`;
    }
    await assert.rejects(
      build({ name: 'many', files, folder: 'f24' }),
      /more than 1000 layers are not built/,
    );
  });

  it('follows the same references in the names of the other profile', async () => {
    const files = {
      'kustomization.yaml': 'resources: [a.yaml]\nnamePrefix: p-\n',
      'a.yaml': `apiVersion: rbac.authorization.orch.io/v1
kind: Role
metadata: {name: reader}
---
apiVersion: rbac.authorization.orch.io/v1
kind: RoleBinding
metadata: {name: reader}
roleRef: {apiGroup: rbac.authorization.orch.io, kind: Role, name: reader}
`,
    };
    const built = (await build({ name: 'orch', files })) as { roleRef?: { name: string } }[];
    assert.deepEqual(
      built.map(({ roleRef }) => roleRef?.name),
      [undefined, 'p-reader'],
    );
  });
});
