import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/meta/object.ts';
import { PROFILES } from '../../../support/schemas.ts';
import { Cluster } from '../../verbs/cluster.ts';

/** IPAddresses and ServiceCIDRs, as a Go API server with the gate MultiCIDRServiceAllocator answers. */
for (const profile of PROFILES) {
  describe(`objects of addresses (${profile})`, () => {
    let cluster: Cluster;
    let path: string;
    before(async () => {
      cluster = await Cluster.open({ profile });
      path = `/apis/${cluster.names.get('group.networking')}/v1beta1`;
    });
    after(() => cluster.close());

    async function causes(line: string, name: string, spec: JsonObject): Promise<string[]> {
      const [verb, resource] = line.split(' ');
      const target = verb === 'PUT' ? `${resource}/${name}` : resource;
      const body = { metadata: { name }, spec };
      const { status, object } = await cluster.ask(`${verb} ${path}/${target}`, { body });
      const { details } = object as { details?: { causes?: { reason: string; field?: string }[] } };
      const told = details?.causes?.map(
        ({ reason, field }) => `${reason.replace('FieldValue', '')} ${field}`,
      );
      return status < 300 ? [] : (told ?? [String(status)]).sort();
    }

    const parentRef = { resource: 'services', namespace: 'default', name: 'x' };
    const names: readonly (readonly [string, boolean])[] = [
      ['10.9.0.1', true],
      ['2001:db8::1', true],
      ['::ffff:1.2.3.4', true],
      ['010.9.0.1', false],
      ['2001:DB8::1', false],
      ['2001:db8:0::1', false],
      ['10.9.0', false],
      ['fd00::1%e', false],
      ['x', false],
    ];
    for (const [name, good] of names) {
      it(`${good ? 'may' : 'may not'} be called ${name}`, async () => {
        const expected = good ? [] : ['Invalid metadata.name'];
        assert.deepEqual(await causes('POST ipaddresses?dryRun=All', name, { parentRef }), expected);
      });
    }

    const parents: readonly (readonly [string, JsonObject, string[]])[] = [
      ['none', {}, ['Required spec.parentRef']],
      ['nobody', { parentRef: {} }, ['Required spec.parentRef.name', 'Required spec.parentRef.resource']],
      ['of an odd group', { parentRef: { ...parentRef, group: 'A_' } }, ['Invalid spec.parentRef.group']],
      ['with an odd name', { parentRef: { ...parentRef, name: 'a%b' } }, ['Invalid spec.parentRef.name']],
    ];
    for (const [what, spec, expected] of parents) {
      it(`must not have a parent that is ${what}`, async () => {
        assert.deepEqual(await causes('POST ipaddresses?dryRun=All', '10.9.0.2', spec), expected);
      });
    }

    const ranges: readonly (readonly [string[], string[]])[] = [
      [['10.1.0.0/24'], []],
      [['10.1.0.0/24', 'fd00:1::/112'], []],
      [[], ['Required spec.cidrs']],
      [['10.1.0.0/24', '10.2.0.0/24'], ['Invalid spec.cidrs']],
      [['10.1.0.0/24', 'x'], ['Invalid spec.cidrs']],
      [['10.1.0.0/24', 'fd00:1::/112', '10.2.0.0/24'], ['Invalid spec.cidrs']],
      [['10.1.0.1/24'], ['Invalid spec.cidrs[0]']],
      [['010.1.0.0/24'], ['Invalid spec.cidrs[0]']],
      [['10.1.0.0/024'], ['Invalid spec.cidrs[0]']],
      [['10.1.0.0/33'], ['Invalid spec.cidrs[0]']],
      [['FD00:1::/112'], ['Invalid spec.cidrs[0]']],
      [['10.1.0.0/24', 'fd00:1::1/112'], ['Invalid spec.cidrs[1]']],
    ];
    for (const [cidrs, expected] of ranges) {
      it(`judge the ranges ${cidrs.join(' and ') || '(none)'}`, async () => {
        assert.deepEqual(await causes('POST servicecidrs?dryRun=All', 'c', { cidrs }), expected);
      });
    }

    it('stay as they are', async () => {
      await causes('POST ipaddresses', '10.9.0.9', { parentRef });
      const other = { parentRef: { ...parentRef, name: 'y' } };
      assert.deepEqual(await causes('PUT ipaddresses', '10.9.0.9', { parentRef }), []);
      assert.deepEqual(await causes('PUT ipaddresses', '10.9.0.9', other), ['Invalid spec.parentRef']);
      await causes('POST servicecidrs', 'kept', { cidrs: ['10.3.0.0/24'] });
      assert.deepEqual(await causes('PUT servicecidrs', 'kept', { cidrs: ['10.3.0.0/24'] }), []);
      const changed = await causes('PUT servicecidrs', 'kept', { cidrs: ['10.4.0.0/24'] });
      assert.deepEqual(changed, ['Invalid spec.cidrs']);
    });
  });
}
