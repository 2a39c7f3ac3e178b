import assert from 'node:assert/strict';
import { FieldPath } from '../../../../src/errors/field-path.ts';
import type { JsonObject } from '../../../../src/meta/object.ts';
import { portWarnings } from '../../../../src/registry/pod/warnings/ports.ts';

const placed = (ports: JsonObject[]): Parameters<typeof portWarnings>[0] => [
  { container: { ports }, at: FieldPath.ROOT.child('c') },
];

describe('warnings about ports that are there twice', () => {
  it('name both', () => {
    const port = { containerPort: 1, protocol: 'TCP' };
    assert.deepEqual(portWarnings(placed([port, { ...port, protocol: 'UDP' }, port])), [
      'c.ports[2]: duplicate port definition with c.ports[0]',
    ]);
  });

  it('are not as many as pairs of very many ports', () => {
    const ports = Array.from({ length: 4000 }, () => ({ containerPort: 1 }));
    const { length } = portWarnings(placed(ports));
    assert.ok(length > 1000 && length <= 20_000, `${length} warnings`);
  });
});
