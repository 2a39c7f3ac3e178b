import { openRules } from '../../../src/app/rules.ts';
import type { ApiObject } from '../../../src/meta/object.ts';
import { loadNames } from '../../../src/names/load.ts';
import { loadSchemas } from '../../../src/schema/load.ts';
import { defaultPods } from '../../support/pod-settings.ts';

/** A pod of many volumes and containers, each of which has one thing too many with something wrong in it. */
export default function check(size: number): Promise<() => unknown> {
  const many = <T>(make: (i: number) => T): T[] => Array.from({ length: size }, (_, i) => make(i));
  const handler = { exec: { command: ['c'] }, httpGet: { port: 'no port!', scheme: 'HTTP' } };
  const probe = { ...handler, timeoutSeconds: 1, periodSeconds: 1, successThreshold: 1, failureThreshold: 1 };
  const pod: ApiObject = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p' },
    spec: {
      volumes: many((i) => ({ name: `v${i}`, hostPath: { path: '/' }, nfs: {} })),
      containers: many((i) => ({ name: `c${i}`, image: 'i', livenessProbe: probe })),
      initContainers: many((i) => ({ name: `i${i}`, image: 'i', lifecycle: { preStop: handler } })),
    },
  };
  const { type } = loadSchemas({ profile: 'orch' }).resource('', 'v1', 'pods')!;
  const book = openRules(loadNames({ profile: 'orch' }), defaultPods('orch'));
  // Compiles the rules.
  book.check(type, pod);
  return Promise.resolve(() => book.check(type, pod));
}
