import { forbidden, invalid, notSupported, required, type FieldError } from '../../errors/field-error.ts';
import type { FieldPath } from '../../errors/field-path.ts';
import { objectAt, textAt } from '../../meta/fields.ts';
import type { JsonObject } from '../../meta/object.ts';
import type { TypeCheck } from '../../schema/rules/rule-book.ts';
import { checkIntOrPercent, intOrPercent } from './int-or-percent.ts';

/** How Deployments replace pods. */
export const deploymentStrategy: TypeCheck = (strategy, at, { errors }) => {
  const rolling = objectAt(strategy, 'rollingUpdate');
  switch (textAt(strategy, 'type')) {
    case 'Recreate':
      if (rolling !== undefined)
        errors.push(forbidden(at.child('rollingUpdate'), 'may not be set when the type is Recreate'));
      break;
    case 'RollingUpdate':
      if (rolling === undefined) errors.push(required(at.child('rollingUpdate')));
      else checkRollingDeployment(rolling, at.child('rollingUpdate'), errors);
      break;
    default:
      errors.push(notSupported(at, strategy, ['Recreate', 'RollingUpdate']));
  }
};

function checkRollingDeployment(
  { maxUnavailable, maxSurge }: JsonObject,
  at: FieldPath,
  errors: FieldError[],
): void {
  checkIntOrPercent(maxUnavailable, at.child('maxUnavailable'), { errors, upToAll: true });
  checkIntOrPercent(maxSurge, at.child('maxSurge'), { errors });
  if (intOrPercent(maxUnavailable) === 0 && intOrPercent(maxSurge) === 0)
    errors.push(invalid(at.child('maxUnavailable'), maxUnavailable, 'may not be 0 when maxSurge is 0'));
}

/** How DaemonSets replace pods: a node has one more for a while, or one fewer. */
export const daemonSetStrategy: TypeCheck = (strategy, at, { errors }) => {
  const type = textAt(strategy, 'type');
  if (type === 'OnDelete') return;
  if (type !== 'RollingUpdate') {
    errors.push(notSupported(at, strategy, ['RollingUpdate', 'OnDelete']));
    return;
  }
  const rolling = objectAt(strategy, 'rollingUpdate');
  const path = at.child('rollingUpdate');
  if (rolling === undefined) errors.push(required(path));
  else checkRollingDaemonSet(rolling, path, errors);
};

function checkRollingDaemonSet(
  { maxUnavailable, maxSurge }: JsonObject,
  at: FieldPath,
  errors: FieldError[],
): void {
  checkIntOrPercent(maxUnavailable, at.child('maxUnavailable'), { errors, upToAll: true });
  checkIntOrPercent(maxSurge, at.child('maxSurge'), { errors, upToAll: true });
  const [unavailable, surge] = [intOrPercent(maxUnavailable), intOrPercent(maxSurge)];
  if (unavailable !== 0 && surge !== 0)
    errors.push(invalid(at.child('maxSurge'), maxSurge, 'may not be set when maxUnavailable is not 0'));
  else if (unavailable === 0 && surge === 0)
    errors.push(required(at.child('maxUnavailable'), 'cannot be 0 when maxSurge is 0'));
}

/** How StatefulSets replace pods. */
export const statefulSetStrategy: TypeCheck = (strategy, at, { errors }) => {
  const rolling = objectAt(strategy, 'rollingUpdate');
  const path = at.child('rollingUpdate');
  switch (textAt(strategy, 'type')) {
    case '':
      errors.push(required(at));
      break;
    case 'OnDelete':
      if (rolling !== undefined)
        errors.push(invalid(path, rolling, 'may be set only when the type is RollingUpdate'));
      break;
    case 'RollingUpdate':
      checkMaxUnavailable(rolling, path.child('maxUnavailable'), errors);
      break;
    default:
      errors.push(invalid(at, strategy, 'the type must be RollingUpdate or OnDelete'));
  }
};

function checkMaxUnavailable(rolling: JsonObject | undefined, at: FieldPath, errors: FieldError[]): void {
  const most = rolling?.['maxUnavailable'];
  if (most === undefined || most === null) return;
  checkIntOrPercent(most, at, { errors, upToAll: true });
  if (intOrPercent(most) === 0) errors.push(invalid(at, most, 'cannot be 0'));
}
