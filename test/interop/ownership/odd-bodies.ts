import type { Exchange } from './both.ts';
import type { Body, OddHistory } from './odd-records.ts';

const APPLY = 'application/apply-patch+yaml';

const C = { name: 'c', image: 'i' };
/** Pod specs that are odd, or no pod specs; none that breaks a rule that is about more than its type. */
const SPECS: readonly (readonly [title: string, spec: Body])[] = [
  ['null for a list', { containers: [C], tolerations: null }],
  ['null in a map', { containers: [C], nodeSelector: { a: null } }],
  ['null among items', { containers: [C, null] }],
  ['empty lists', { containers: [C], tolerations: [], volumes: [], initContainers: [] }],
  ['empty structs', { containers: [{ ...C, resources: {}, securityContext: {} }], affinity: {} }],
  ['null for structs', { containers: [C], securityContext: null, dnsPolicy: null }],
  ['a text for a number', { containers: [C], terminationGracePeriodSeconds: '5' }],
  ['a fraction for an integer', { containers: [C], terminationGracePeriodSeconds: 5.5 }],
  ['a number for a boolean', { containers: [C], hostNetwork: 1 }],
  ['a map for a list', { containers: {} }],
  ['a list for a map', { containers: [C], nodeSelector: [] }],
  ['a text for a struct', { containers: [C], affinity: 'x' }],
  ['a key of another type', { containers: [{ ...C, ports: [{ containerPort: '80' }] }] }],
  ['a key that is null', { containers: [{ ...C, ports: [{ containerPort: 80, protocol: null }] }] }],
  ['items that are none', { containers: ['x'] }],
  ['an item twice', { containers: [C, C] }],
  [
    'an item twice by its default',
    { containers: [{ ...C, ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'TCP' }] }] },
  ],
  [
    'two protocols',
    { containers: [{ ...C, ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'UDP' }] }] },
  ],
  [
    'numbers for quantities',
    { containers: [{ ...C, resources: { limits: { cpu: 0.5, memory: 1073741824 } } }] },
  ],
  ['no quantities', { containers: [{ ...C, resources: { limits: { cpu: 'x' } } }] }],
  ['an object for a quantity', { containers: [{ ...C, resources: { limits: { cpu: {} } } }] }],
  ['unknown fields', { containers: [{ ...C, bogus: 1 }] }],
  ['unknown fields in what is atomic', { containers: [C], tolerations: [{ bogus: 1 }] }],
  ['an object for a port', { containers: [{ ...C, livenessProbe: { httpGet: { port: {} } } }] }],
  ['references without a name', { containers: [C], imagePullSecrets: [{}] }],
];

/** Deployments to which odd things are applied, by two managers. */
export function oddBodies(namespace: string): OddHistory[] {
  const all = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  return SPECS.map(([title, spec], i) => {
    const apply = (manager: string, podSpec: Body): Exchange => ({
      method: 'PATCH',
      path: `${all}/b${i}?fieldManager=${manager}`,
      contentType: APPLY,
      body: deployment(`b${i}`, podSpec),
    });
    const plain = { containers: [C] };
    return [
      `a configuration with ${title}`,
      [apply('m1', spec), apply('m1', plain), apply('m2', spec), apply('m1', plain), apply('m2', plain)],
    ];
  });
}

/** Deployments in which items of a list have the same key, which updates may make. */
export function repeatedItems(namespace: string): OddHistory[] {
  const all = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  const env = (...pairs: string[]): Body => ({
    containers: [{ ...C, env: pairs.map((pair) => ({ name: pair[0], value: pair[1] })) }],
  });
  const apply = (name: string, spec: Body, query = ''): Exchange => ({
    method: 'PATCH',
    path: `${all}/${name}?fieldManager=m1${query}`,
    contentType: APPLY,
    body: deployment(name, spec),
  });
  const write = (name: string, spec: Body, manager: string): Exchange => ({
    method: 'PUT',
    path: `${all}/${name}?fieldManager=${manager}`,
    body: deployment(name, spec),
  });
  const make = (name: string): Exchange => ({
    method: 'POST',
    path: `${all}?fieldManager=m0`,
    body: deployment(name, env('A1', 'B1', 'A2')),
  });
  return [
    [
      'applied to',
      [make('x0'), apply('x0', env('A3')), apply('x0', env('A3'), '&force=true'), apply('x0', env())],
    ],
    [
      'kept and written over',
      [
        make('x1'),
        apply('x1', env('C3', 'B1')),
        write('x1', env('A1', 'B1', 'C3'), 'm3'),
        write('x1', env('A1', 'A1', 'C3', 'C4'), 'm4'),
      ],
    ],
  ];
}

function deployment(name: string, spec: Body): Body {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: { selector: { matchLabels: { a: 'b' } }, template: { metadata: { labels: { a: 'b' } }, spec } },
  };
}
