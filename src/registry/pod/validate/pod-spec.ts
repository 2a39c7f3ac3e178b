import {
  duplicate,
  forbidden,
  invalid,
  notSupported,
  required,
  type FieldError,
} from '../../../errors/field-error.ts';
import type { FieldPath } from '../../../errors/field-path.ts';
import { objectAt, textAt } from '../../../meta/fields.ts';
import { labelValueProblems, qualifiedNameProblems } from '../../../meta/names.ts';
import type { JsonObject } from '../../../meta/object.ts';
import type { CheckContext, TypeCheck } from '../../../schema/rules/rule-book.ts';
import { forgetBelow } from '../../problems.ts';
import type { ResourceNames } from '../../resource-names.ts';
import { allPlaced, itemsOf, placedIn, type Placed } from './container-lists.ts';
import { checkDns } from './dns.ts';
import { checkEnvFrom } from './env.ts';
import { checkEphemeral } from './ephemeral.ts';
import { checkProbes, forbidProbes, type HandlerContext } from './handlers.ts';
import { checkMounts, usableVolumes, type Volumes } from './mounts.ts';
import { checkHostPorts } from './ports.ts';
import { checkResizePolicy } from './resize-policy.ts';
import { checkClaims, checkOverhead } from './resources.ts';
import { checkSchedulingGates, checkSpreadOnce } from './scheduling.ts';
import { checkPodSecurity } from './security.ts';
import { checkHostProcess, checkSystem } from './windows.ts';

export interface PodSpecRules {
  readonly resourceNames: ResourceNames;
  readonly allowsPrivileged: boolean;
  /** Whether a container may sleep for no time. */
  readonly allowsNoSleep: boolean;
}

/** The rules of pods' specs across fields and containers, wherever pod specs stand. */
export function podSpecCheck(rules: PodSpecRules): TypeCheck {
  return function checkPodSpec(spec, at, context) {
    const { errors } = context;
    const ofFields = errors.length;
    const containers = allPlaced(spec, at);
    const volumes = usableVolumes(spec, at, errors);
    const claims = new Set(itemsOf(spec['resourceClaims']).map((claim) => textAt(claim, 'name')));
    for (const placed of containers) checkAnyContainer(placed, { spec, volumes, claims }, errors);
    const handlers = handlerContext(spec, rules, context);
    const main = placedIn(spec, 'containers', at);
    checkContainers(main, handlers);
    checkHostPorts(main, errors);
    if (spec['initContainers'] !== undefined) checkInitContainers(spec, at, handlers);
    if (spec['ephemeralContainers'] !== undefined) checkEphemeral(spec, at, errors);
    checkNodeSelector(spec, at, errors);
    if (spec['preemptionPolicy'] === '') errors.push(required(at.child('preemptionPolicy')));
    checkPodSecurity(spec, at, context);
    checkDns(spec, at, context);
    checkSchedulingGates(spec, at, errors);
    checkSpreadOnce(spec, at, errors);
    checkResourceClaims(spec, at, errors);
    checkHostProcess(spec, { at, allowsPrivileged: rules.allowsPrivileged }, containers, errors);
    checkOverhead(rules.resourceNames, spec, at, context);
    checkSystem(spec, at, containers, errors);
    forgetBelow(errors, handlers.refused, { to: ofFields });
  };
}

function handlerContext(
  spec: JsonObject,
  { allowsNoSleep }: PodSpecRules,
  { errors, tolerates }: CheckContext,
): HandlerContext {
  const seconds = spec['terminationGracePeriodSeconds'];
  const graceSeconds = typeof seconds === 'number' ? seconds : undefined;
  return { graceSeconds, allowsNoSleep, refused: new Set(), errors, tolerates };
}

interface Around {
  readonly spec: JsonObject;
  readonly volumes: Volumes;
  readonly claims: ReadonlySet<string>;
}

function checkAnyContainer({ container, at }: Placed, around: Around, errors: FieldError[]): void {
  const { spec, volumes, claims } = around;
  checkEnvFrom(container, at, errors);
  checkMounts(container, at, volumes, errors);
  checkClaims(container, at, claims, errors);
  checkResizePolicy(container, at, spec['restartPolicy'] === 'Never', errors);
  const context = objectAt(container, 'securityContext');
  if (context?.['procMount'] === 'Unmasked' && spec['hostUsers'] !== false) {
    const path = at.child('securityContext').child('procMount');
    errors.push(invalid(path, 'Unmasked', 'may only be Unmasked where hostUsers is false'));
  }
}

function checkContainers(containers: readonly Placed[], context: HandlerContext): void {
  for (const { container, at } of containers) {
    checkProbes(container, at, context);
    if (container['restartPolicy'] != null)
      context.errors.push(forbidden(at.child('restartPolicy'), 'is for init containers only'));
  }
}

/** Init containers run one after the other; those that are started again run beside the others, and may be probed. */
function checkInitContainers(spec: JsonObject, at: FieldPath, handlers: HandlerContext): void {
  const { errors, tolerates } = handlers;
  const names = new Set(itemsOf(spec['containers']).map((container) => textAt(container, 'name')));
  for (const placed of placedIn(spec, 'initContainers', at)) {
    const { container, at: path } = placed;
    const name = textAt(container, 'name');
    const policy = container['restartPolicy'];
    if (policy != null && policy !== 'Always')
      errors.push(notSupported(path.child('restartPolicy'), policy, ['Always']));
    if (names.has(name)) errors.push(duplicate(path.child('name'), name));
    else if (name !== '') names.add(name);
    checkHostPorts([placed], errors);
    if (policy === 'Always') checkProbes(container, path, handlers);
    else forbidProbes(container, path, handlers);
    const resize = container['resizePolicy'];
    if (Array.isArray(resize) && resize.length > 0 && !tolerates('initResizePolicy'))
      errors.push(invalid(path.child('resizePolicy'), resize, 'is not for init containers'));
  }
}

function checkNodeSelector(spec: JsonObject, at: FieldPath, errors: FieldError[]): void {
  const selector = objectAt(spec, 'nodeSelector');
  if (selector === undefined) return;
  const path = at.child('nodeSelector');
  for (const key of Object.keys(selector)) {
    for (const problem of qualifiedNameProblems(key)) errors.push(invalid(path, key, problem));
    const value = textAt(selector, key);
    for (const problem of labelValueProblems(value)) errors.push(invalid(path, value, problem));
  }
}

/** A claim of a pod names one that exists, or what one is made of. */
function checkResourceClaims(spec: JsonObject, at: FieldPath, errors: FieldError[]): void {
  itemsOf(spec['resourceClaims']).forEach((claim, i) => {
    const count = [claim['resourceClaimName'], claim['resourceClaimTemplateName']].filter((it) => it != null);
    if (count.length !== 1) {
      const rule = 'must have resourceClaimName or resourceClaimTemplateName, and not both';
      errors.push(invalid(at.child('resourceClaims').index(i), claim, rule));
    }
  });
}
