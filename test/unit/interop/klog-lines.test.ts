import assert from 'node:assert/strict';
import { isLostRace, troubles } from '../../interop/controllers/klog-lines.ts';

const line = (severity: string, rest: string, file = 'job_controller.go'): string =>
  `${severity}1121 18:18:54.130700   11499 ${file}:645] ${rest}`;

describe('what a Go controller complains of', () => {
  it('is what is an error or a warning, once, with its number', () => {
    const log = [line('I', 'fine'), line('E', 'bad 1'), 'a stack', line('E', 'bad 2'), line('W', 'bad 2')];
    assert.deepEqual(
      [...troubles(log.join('\n'))],
      [
        ['E job_controller.go bad N', 2],
        ['W job_controller.go bad N', 1],
      ],
    );
  });

  const cases: [string, string, string][] = [
    ['uids', 'of f057105f-7692-444d-b939-b1fb53fdf973', 'of UID'],
    ['names', 'pod="cycle-12/web-d597f8df8-abcde" node="node-3"', 'pod="OBJECT" node="NODE"'],
    ['addresses', 'dial 127.0.0.1:4242', 'dial N'],
    ['durations', 'in 12h6m38.8334193s, not 1.5ms', 'in N, not N'],
    ['graphs', 'item &garbagecollector.node{a:b{c: 1}}: gone', 'item NODE OF THE GRAPH: gone'],
  ];
  for (const [what, told, general] of cases) {
    it(`is told without ${what}`, () => {
      assert.deepEqual([...troubles(line('E', told)).keys()], [`E job_controller.go ${general}`]);
    });
  }

  const races: [string, string][] = [
    [
      'changed meanwhile',
      'Operation cannot be fulfilled on jobs.batch \\"parallel\\": the object has been modified; please apply your changes to the latest version and try again',
    ],
    [
      'on its way out',
      'Operation cannot be fulfilled on pods/binding \\"web-1\\": pod web-1 is being deleted, cannot be assigned to a host',
    ],
    [
      'gone, and its uid known',
      'Operation cannot be fulfilled on jobs.batch \\"parallel\\": there is no object with the uid f057105f-7692-444d-b939-b1fb53fdf973',
    ],
    ['not shown yet', 'EndpointSlice informer cache is out of date'],
    ['gone', 'pods \\"web-1\\" not found'],
    [
      'in a namespace that goes',
      'jobs.batch \\"each-minute-1\\" is forbidden: unable to create new content in namespace cycle-1 because it is being terminated',
    ],
  ];
  for (const [what, message] of races) {
    it(`is chance where an object was ${what}`, () => {
      const [found = ''] = troubles(line('E', `"Unhandled Error" err="sync: ${message}"`)).keys();
      assert.ok(isLostRace(found), found);
    });
  }

  it('is no chance where a user may not do something', () => {
    const message = 'err="jobs.batch \\"parallel\\" is forbidden: User \\"a\\" cannot get resource"';
    const [found = ''] = troubles(line('E', message)).keys();
    assert.ok(found !== '' && !isLostRace(found), found);
  });
});
