import assert from 'node:assert/strict';
import { viewOf } from '../../../../src/admission/pod-security/checks/check.ts';
import {
  allChecks,
  evaluator,
  inBrief,
  inDetail,
} from '../../../../src/admission/pod-security/checks/checks.ts';
import { LATEST, type Level } from '../../../../src/admission/pod-security/policy.ts';
import type { JsonObject } from '../../../../src/meta/object.ts';

const ANNOTATIONS = { appArmorPrefix: 'armor/', seccompPod: 'seccomp/pod', seccompPrefix: 'seccomp/of/' };
const evaluate = evaluator(allChecks({ annotations: ANNOTATIONS, trustsUserNamespaces: false }));

/** What the strictest level wants to be said. */
const SAFE = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  runAsNonRoot: true,
  seccompProfile: { type: 'RuntimeDefault' },
};

function container(securityContext: JsonObject = {}, fields: JsonObject = {}): JsonObject {
  return { name: 'c', image: 'i', securityContext: { ...SAFE, ...securityContext }, ...fields };
}

function pod(spec: JsonObject = {}): JsonObject {
  return { containers: [container()], ...spec };
}

interface Asked {
  readonly spec: JsonObject;
  readonly annotations?: Record<string, string>;
}

/** The first release that refuses, of each level; `-` where none does. */
function refusals({ spec, annotations = {} }: Asked): string {
  const view = viewOf({ annotations }, spec);
  const refuses = (level: Level, minor: number): boolean =>
    evaluate({ level, version: minor }, view).length > 0;
  const ranges = (['baseline', 'restricted'] as const).map((level) => {
    const minors = [...Array(33).keys()].filter((minor) => refuses(level, minor));
    if (minors.length === 0) return '-';
    assert.equal(refuses(level, LATEST), refuses(level, 32));
    assert.equal(refuses(level, 99), refuses(level, 32));
    const [first, last] = [minors[0] ?? 0, minors.at(-1) ?? 0];
    assert.equal(minors.length, last - first + 1, 'a range of releases');
    return last === 32 ? `${first}+` : `${first}-${last}`;
  });
  return ranges.join(' ');
}

describe('the Pod Security Standards', () => {
  const volume = (fields: JsonObject): JsonObject => pod({ volumes: [{ name: 'v', ...fields }] });
  const context = (fields: JsonObject): JsonObject => pod({ securityContext: fields });
  const own = (fields: JsonObject): JsonObject => ({ containers: [container(fields)] });
  /** Releases of `baseline` and of `restricted` that refuse a pod. */
  const cases: [title: string, asked: Asked, expected: string][] = [
    ['a pod that says all it must', { spec: pod() }, '- -'],
    ['a pod that says nothing', { spec: { containers: [{ name: 'c' }] } }, '- 0+'],
    ['the network of the host', { spec: pod({ hostNetwork: true }) }, '0+ 0+'],
    ['the processes of the host', { spec: pod({ hostPID: true }) }, '0+ 0+'],
    ['the memory of the host', { spec: pod({ hostIPC: true }) }, '0+ 0+'],
    [
      'nothing of the host, said',
      { spec: pod({ hostNetwork: false, hostPID: false, hostIPC: false }) },
      '- -',
    ],
    ['a folder of the host', { spec: volume({ hostPath: { path: '/' } }) }, '0+ 0+'],
    ['a volume of a network', { spec: volume({ nfs: { server: 's', path: '/' } }) }, '- 0+'],
    ['a volume of no known type', { spec: volume({}) }, '- 0+'],
    ...[
      'configMap',
      'csi',
      'downwardAPI',
      'emptyDir',
      'ephemeral',
      'persistentVolumeClaim',
      'projected',
      'secret',
    ].map((type): [string, Asked, string] => [
      `a volume of type ${type}`,
      { spec: volume({ [type]: {} }) },
      '- -',
    ]),
    ['a port of the host', { spec: { containers: [container({}, { ports: [{ hostPort: 80 }] })] } }, '0+ 0+'],
    [
      'a port of its own',
      { spec: { containers: [container({}, { ports: [{ hostPort: 0, containerPort: 80 }] })] } },
      '- -',
    ],
    ['all privileges', { spec: own({ privileged: true }) }, '0+ 0+'],
    ['no privileges, said', { spec: own({ privileged: false }) }, '- -'],
    ['more privileges later', { spec: own({ allowPrivilegeEscalation: true }) }, '- 8+'],
    [
      'a right beyond the default ones',
      { spec: own({ capabilities: { drop: ['ALL'], add: ['NET_ADMIN'] } }) },
      '0+ 0+',
    ],
    [
      'a right of the default ones',
      { spec: own({ capabilities: { drop: ['ALL'], add: ['CHOWN'] } }) },
      '- 22+',
    ],
    [
      'the right to low ports',
      { spec: own({ capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE'] } }) },
      '- -',
    ],
    ['the default rights', { spec: own({ capabilities: {} }) }, '- 22+'],
    ['all of /proc', { spec: own({ procMount: 'Unmasked' }) }, '0+ 0+'],
    ['the usual /proc', { spec: own({ procMount: 'Default' }) }, '- -'],
    ['root as a user of the pod', { spec: context({ runAsUser: 0 }) }, '- 23+'],
    ['root as a user of a container', { spec: own({ runAsUser: 0 }) }, '- 23+'],
    ['root, perhaps', { spec: own({ runAsNonRoot: false }) }, '- 0+'],
    ['root, perhaps, in all its pod', { spec: context({ runAsNonRoot: false }) }, '- 0+'],
    [
      'no root, as the pod says',
      { spec: { securityContext: { runAsNonRoot: true }, containers: [container({ runAsNonRoot: null })] } },
      '- -',
    ],
    ['a process of a Windows host', { spec: context({ windowsOptions: { hostProcess: true } }) }, '0+ 0+'],
    ['one in a container', { spec: own({ windowsOptions: { hostProcess: true } }) }, '0+ 0+'],
    [
      'a container of Windows',
      {
        spec: {
          os: { name: 'windows' },
          containers: [{ name: 'c', securityContext: { runAsNonRoot: true } }],
        },
      },
      '- 8-24',
    ],
    ['AppArmor switched off', { spec: context({ appArmorProfile: { type: 'Unconfined' } }) }, '0+ 0+'],
    ['a profile of the node', { spec: own({ appArmorProfile: { type: 'Localhost' } }) }, '- -'],
    [
      'AppArmor switched off by annotation',
      { spec: pod(), annotations: { 'armor/c': 'unconfined' } },
      '0+ 0+',
    ],
    [
      'a profile by annotation',
      { spec: pod(), annotations: { 'armor/c': 'localhost/x', 'armor/d': '' } },
      '- -',
    ],
    ['seccomp switched off', { spec: own({ seccompProfile: { type: 'Unconfined' } }) }, '19+ 19+'],
    [
      'seccomp switched off in the pod',
      { spec: context({ seccompProfile: { type: 'Unconfined' } }) },
      '19+ 19+',
    ],
    ['no word of seccomp', { spec: own({ seccompProfile: null }) }, '- 19+'],
    [
      'seccomp as the pod says',
      {
        spec: {
          securityContext: { seccompProfile: { type: 'Localhost' } },
          containers: [container({ seccompProfile: null })],
        },
      },
      '- -',
    ],
    [
      'seccomp switched off by annotation',
      { spec: pod(), annotations: { 'seccomp/pod': 'unconfined' } },
      '0-18 0-18',
    ],
    ['the same of a container', { spec: pod(), annotations: { 'seccomp/of/c': 'unconfined' } }, '0-18 0-18'],
    [
      'the same of a container that is not there',
      { spec: pod(), annotations: { 'seccomp/of/x': 'unconfined' } },
      '- -',
    ],
    ['seccomp by annotation', { spec: pod(), annotations: { 'seccomp/pod': 'docker/default' } }, '- -'],
    ['a type of SELinux', { spec: own({ seLinuxOptions: { type: 'spc_t' } }) }, '0+ 0+'],
    ['one of containers', { spec: own({ seLinuxOptions: { type: 'container_kvm_t' } }) }, '- -'],
    ['one of engines', { spec: context({ seLinuxOptions: { type: 'container_engine_t' } }) }, '0-30 0-30'],
    ['a user of SELinux', { spec: context({ seLinuxOptions: { user: 'u' } }) }, '0+ 0+'],
    ['a role of SELinux', { spec: own({ seLinuxOptions: { role: 'r' } }) }, '0+ 0+'],
    ['a parameter of the kernel', { spec: context({ sysctls: [{ name: 'kernel.msgmax' }] }) }, '0+ 0+'],
    ['a safe one', { spec: context({ sysctls: [{ name: 'net.ipv4.ping_group_range' }] }) }, '- -'],
    [
      'one that is safe since 1.27',
      { spec: context({ sysctls: [{ name: 'net.ipv4.ip_local_reserved_ports' }] }) },
      '0-26 0-26',
    ],
    [
      'one that is safe since 1.29',
      { spec: context({ sysctls: [{ name: 'net.ipv4.tcp_fin_timeout' }] }) },
      '0-28 0-28',
    ],
    [
      'one that is safe since 1.32',
      { spec: context({ sysctls: [{ name: 'net.ipv4.tcp_rmem' }] }) },
      '0-31 0-31',
    ],
    [
      'an init container with all privileges',
      { spec: pod({ initContainers: [container({ privileged: true })] }) },
      '0+ 0+',
    ],
    [
      'one that looks in with all privileges',
      { spec: pod({ ephemeralContainers: [container({ privileged: true })] }) },
      '0+ 0+',
    ],
  ];
  for (const [title, asked, expected] of cases) {
    it(`have ${title} refused since ${expected}`, () => assert.equal(refusals(asked), expected));
  }

  it('refuse nothing where nothing is asked', () => {
    const view = viewOf(undefined, { hostNetwork: true });
    assert.deepEqual(evaluate({ level: 'privileged', version: LATEST }, view), []);
  });

  it('trust users that are none on the host, where that is switched on', () => {
    const trusting = evaluator(allChecks({ annotations: ANNOTATIONS, trustsUserNamespaces: true }));
    const spec = pod({
      hostUsers: false,
      containers: [container({ runAsUser: 0, runAsNonRoot: false, procMount: 'Unmasked' })],
    });
    const restricted = { level: 'restricted', version: LATEST } as const;
    assert.deepEqual(trusting(restricted, viewOf(undefined, spec)), []);
    assert.notDeepEqual(trusting(restricted, viewOf(undefined, { ...spec, hostUsers: true })), []);
    assert.notDeepEqual(evaluate(restricted, viewOf(undefined, spec)), []);
  });

  it('say what is wrong where, briefly and in detail', () => {
    const containers = [
      container({ privileged: true, capabilities: { add: ['SYS_ADMIN', 'BPF'] } }),
      { name: 'd', ports: [{ hostPort: 80 }, { hostPort: 443 }] },
    ];
    const violations = evaluate({ level: 'restricted', version: LATEST }, viewOf(undefined, { containers }));
    assert.equal(
      inBrief(violations),
      'hostPort, privileged, allowPrivilegeEscalation != false, unrestricted capabilities, ' +
        'runAsNonRoot != true, seccompProfile',
    );
    assert.match(
      inDetail(violations),
      /^hostPort \(container "d" uses hostPorts 443, 80\), privileged \(container "c" must not set .*containers "c", "d" must set securityContext.capabilities.drop=\["ALL"\]; container "c" must not include "BPF", "SYS_ADMIN"/,
    );
  });
});
