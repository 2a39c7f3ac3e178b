import { forbidden, invalid, required } from '../../../errors/field-error.ts';
import type { FieldPath } from '../../../errors/field-path.ts';
import { numberAt, objectAt, textAt } from '../../../meta/fields.ts';
import type { JsonObject } from '../../../meta/object.ts';
import type { CheckContext, TypeCheck } from '../../../schema/rules/rule-book.ts';
import { itemsOf } from './container-lists.ts';

/** What a container does or is asked, at most one way. */
const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'];
const HEADER_NAME = /^[-A-Za-z0-9]+$/;

/** What a check of probes and lifecycle handlers knows of the pod, besides their container. */
export interface HandlerContext extends Pick<CheckContext, 'errors' | 'tolerates'> {
  /** How long containers have to end, in seconds; undefined where that isn't known. */
  readonly graceSeconds: number | undefined;
  /** Whether a handler may sleep for no time. */
  readonly allowsNoSleep: boolean;
  /** Takes the paths of fields that are refused as a whole: what else is said of these is taken back in the end. */
  readonly refused: Set<string>;
}

/** What a container's probes and lifecycle may be. @param at of the container. */
export function checkProbes(container: JsonObject, at: FieldPath, context: HandlerContext): void {
  const { errors } = context;
  const lifecycle = objectAt(container, 'lifecycle');
  if (lifecycle !== undefined) checkLifecycle(lifecycle, at.child('lifecycle'), context);
  for (const name of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    const probe = objectAt(container, name);
    if (probe === undefined) continue;
    const path = at.child(name);
    checkHandler(probe, path, context);
    const isReadiness = name === 'readinessProbe';
    if (!isReadiness && numberAt(probe, 'successThreshold') !== 1)
      errors.push(invalid(path.child('successThreshold'), probe['successThreshold'], 'must be 1'));
    if (isReadiness && probe['terminationGracePeriodSeconds'] != null) {
      const value = probe['terminationGracePeriodSeconds'];
      errors.push(
        invalid(path.child('terminationGracePeriodSeconds'), value, 'may not be set for readiness'),
      );
    }
  }
}

/** Containers that nobody probes have no probes. @param at of the container. */
export function forbidProbes(
  container: JsonObject,
  at: FieldPath,
  { errors, refused }: HandlerContext,
): void {
  for (const name of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe']) {
    if (container[name] == null) continue;
    const path = String(at.child(name));
    refused.add(path);
    errors.push(forbidden(path, 'may only be set for init containers with restartPolicy Always'));
  }
}

function checkLifecycle(lifecycle: JsonObject, at: FieldPath, context: HandlerContext): void {
  for (const name of ['postStart', 'preStop']) {
    const handler = objectAt(lifecycle, name);
    if (handler !== undefined) checkHandler(handler, at.child(name), context);
  }
}

function checkHandler(handler: JsonObject, at: FieldPath, context: HandlerContext): void {
  const { errors, refused } = context;
  let first = '';
  for (const name of HANDLERS) {
    const action = objectAt(handler, name);
    if (action === undefined) continue;
    if (first !== '') {
      const path = String(at.child(name));
      refused.add(path);
      errors.push(forbidden(path, `may not be set together with ${first}`));
      continue;
    }
    first = name;
    if (name === 'sleep') checkSleep(action, at.child(name), context);
  }
  if (first === '') errors.push(required(at, `must have one of ${HANDLERS.join(', ')}`));
}

function checkSleep(
  sleep: JsonObject,
  at: FieldPath,
  { graceSeconds, allowsNoSleep, tolerates, errors }: HandlerContext,
): void {
  const asked = numberAt(sleep, 'seconds');
  if (graceSeconds === undefined || (asked > 0 && asked <= graceSeconds)) return;
  const isNone = asked === 0 && graceSeconds >= 0;
  if (isNone && (allowsNoSleep || tolerates('noSleep'))) return;
  const most = `must not be negative, nor more than terminationGracePeriodSeconds, ${graceSeconds}`;
  const rule = isNone ? 'must be more than 0' : most;
  errors.push(invalid(at, asked, rule));
}

/** Names of headers are told at the list: that is where the reference has them. */
export const httpGetCheck: TypeCheck = (action, at, { errors }) => {
  for (const header of itemsOf(action['httpHeaders'])) {
    const name = textAt(header, 'name');
    if (!HEADER_NAME.test(name))
      errors.push(invalid(at.child('httpHeaders'), name, "must consist of letters, digits and '-'"));
  }
};
