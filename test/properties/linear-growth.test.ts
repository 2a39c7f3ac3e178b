import assert from 'node:assert/strict';
import { countSteps } from '../support/count-steps.ts';

/** Twice the work takes twice the steps, give or take what is sorted: four times when it grows with the square. */
const LINEAR = 2.5;

describe('work on large objects grows no faster than they do', function () {
  // Each starts a process.
  this.timeout(60_000);
  const works: [title: string, file: string, size: number][] = [
    ['applying a configuration over the fields of many managers', 'apply.ts', 40],
    ['merging an applied list into another', 'merge-applied.ts', 500],
    ['merging a list with a strategic merge patch', 'strategic-merge.ts', 500],
    ['merging the managers that are too many', 'cap-managers.ts', 500],
    ['refusing a pod whose volumes and probes are two things at once', 'refused-fields.ts', 100],
  ];
  for (const [title, file, size] of works) {
    it(title, async () => {
      const [once, twice] = await countSteps(new URL(`growth/${file}`, import.meta.url), [size, 2 * size]);
      assert.ok(once! > size, `${once} steps`);
      assert.ok(twice! < LINEAR * once!, `${once} steps become ${twice}`);
    });
  }
});
