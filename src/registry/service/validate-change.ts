import { forbidden, invalid, type FieldError } from '../../errors/field-error.ts';
import { numberAt, textAt } from '../../meta/fields.ts';
import type { ApiObject, JsonObject } from '../../meta/object.ts';
import { isHeadless, needsClusterIP, needsHealthCheck, specOf, textsAt } from './spec.ts';

const STAYS = 'may not be changed';

/** The rules about changes of services: the first address and family stay, the second one comes and goes. */
export function serviceChangeErrors(service: ApiObject, previous: ApiObject): FieldError[] {
  const spec = specOf(service);
  const old = specOf(previous);
  return [
    ...(needsClusterIP(spec) && needsClusterIP(old) ? addressChangeErrors(spec, old) : []),
    ...balancerChangeErrors(spec, old),
    ...(needsHealthCheck(spec) &&
    needsHealthCheck(old) &&
    numberAt(spec, 'healthCheckNodePort') !== numberAt(old, 'healthCheckNodePort')
      ? [forbidden('spec.healthCheckNodePort', STAYS)]
      : []),
  ];
}

function addressChangeErrors(spec: JsonObject, old: JsonObject): FieldError[] {
  const headless = [isHeadless(spec), isHeadless(old)];
  if (headless[0] === true && headless[1] === true) return [];
  const addresses = listChangeErrors(spec, old, 'clusterIPs');
  return headless[0] === headless[1] ? [...addresses, ...familyChangeErrors(spec, old)] : addresses;
}

/** Of a headless service anything may change. */
function familyChangeErrors(spec: JsonObject, old: JsonObject): FieldError[] {
  return listChangeErrors(spec, old, 'ipFamilies');
}

function listChangeErrors(
  spec: JsonObject,
  old: JsonObject,
  list: 'clusterIPs' | 'ipFamilies',
): FieldError[] {
  const now = textsAt(spec, list);
  const before = textsAt(old, list);
  const changed = (i: number): FieldError =>
    invalid(`spec.${list}[${list === 'ipFamilies' ? 0 : i}]`, now, STAYS);
  if (now.length === before.length) return before.flatMap((text, i) => (text === now[i] ? [] : [changed(i)]));
  const errors: FieldError[] = [];
  if (now.length < before.length) {
    const gone = textsAt(spec, 'clusterIPs').length === 0;
    if (gone) errors.push(invalid(`spec.${list}[0]`, now, 'may not be taken away'));
    if (now.length === 1 && spec.ipFamilyPolicy !== 'SingleStack') {
      errors.push(
        invalid('spec.ipFamilyPolicy', spec.ipFamilyPolicy, `must be SingleStack to give up one of ${list}`),
      );
    }
  }
  if (now.length > 0 && before.length > 0 && now[0] !== before[0]) errors.unshift(changed(0));
  return errors;
}

function balancerChangeErrors(spec: JsonObject, old: JsonObject): FieldError[] {
  if (textAt(spec, 'type') !== 'LoadBalancer' || textAt(old, 'type') !== 'LoadBalancer') return [];
  const now = spec.loadBalancerClass ?? undefined;
  const before = old.loadBalancerClass ?? undefined;
  return now === before ? [] : [invalid('spec.loadBalancerClass', now, STAYS)];
}
